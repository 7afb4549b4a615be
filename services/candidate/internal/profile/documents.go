package profile

import (
	"context"

	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
)

// Template is the layout of a CV's PDF, named as in the contract of the cvrender service
// (behaviour: pdf#templates).
type Template string

// The available templates.
const (
	Classic Template = "classic"
	Compact Template = "compact"
)

// Valid reports whether t is a known template.
func (t Template) Valid() bool { return t == Classic || t == Compact }

// Document is a CV that can be rendered as a PDF.
type Document struct {
	CvReference
	Template Template
}

// Documents returns a person's CVs as documents: the main CV first, if it has content, then the others,
// newest first.
func (s *Service) Documents(ctx context.Context, personID string) ([]Document, error) {
	if !fault.IsStorable(personID) {
		return nil, nil
	}
	return s.cfg.Store.Documents(ctx, personID)
}

// ChooseTemplate sets the template of a person's CV (behaviour: pdf#choice-of-template). It returns
// INVALID_ARGUMENT naming the field, or CV_NOT_FOUND.
func (s *Service) ChooseTemplate(ctx context.Context, personID, cvID string, t Template) error {
	if !t.Valid() {
		return fault.Of(fault.CodeArgument, "template", "must be a template")
	}
	if !fault.IsStorable(personID) || cvID != MainCvID && !id.Valid(cvPrefix, cvID) {
		return ErrCvNotFound
	}
	return s.cfg.Store.ChooseTemplate(ctx, personID, cvID, t)
}
