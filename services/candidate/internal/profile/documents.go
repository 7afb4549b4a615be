package profile

import (
	"context"

	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
)

// Template is the layout of a CV's PDF. The names are the same as in the cvrender service
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

// Documents returns a person's CVs as documents. The main CV comes first, if it has content, followed
// by the others, newest first.
func (s *Service) Documents(ctx context.Context, personID string) ([]Document, error) {
	if !fault.IsStorable(personID) {
		return nil, nil
	}
	return s.cfg.Store.Documents(ctx, personID)
}

// ChooseTemplate sets the template of one of the person's CVs (behaviour: pdf#choice-of-template). It
// returns CV_NOT_FOUND, or an INVALID_ARGUMENT error that names the field.
func (s *Service) ChooseTemplate(ctx context.Context, personID, cvID string, t Template) error {
	if !t.Valid() {
		return fault.Of(fault.CodeArgument, "template", "must be a template")
	}
	if !fault.IsStorable(personID) || cvID != MainCvID && !id.Valid(cvPrefix, cvID) {
		return ErrCvNotFound
	}
	return s.cfg.Store.ChooseTemplate(ctx, personID, cvID, t)
}
