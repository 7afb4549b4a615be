package profile

import (
	"context"

	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/format"
)

// cvPrefix is the id prefix of CVs other than the main CV.
const cvPrefix = "cv"

// CvChange describes an update of a CV.
type CvChange struct {
	Cv
	// NewTitle and NewContent report whether to replace the title and the content.
	NewTitle, NewContent bool
}

// CreateCv adds a CV. It returns an INVALID_ARGUMENT error that names every invalid field, PROFILE_NOT_FOUND
// or TOO_MANY_CVS.
func (s *Service) CreateCv(ctx context.Context, personID, title string, content *cv.Content) (Cv, error) {
	if err := ValidateCreateCv(title, content); err != nil {
		return Cv{}, err
	}
	if !fault.IsStorable(personID) {
		return Cv{}, ErrProfileNotFound
	}
	c := Cv{ID: id.New(cvPrefix), PersonID: personID, Title: title, Content: cv.ToStore(content), Template: Classic, CreatedAt: s.cfg.Clock.Now()}
	c.UpdatedAt = c.CreatedAt
	if err := s.cfg.Store.CreateCv(ctx, c); err != nil {
		return Cv{}, err
	}
	return c, nil
}

// ValidateCreateCv performs those checks of CreateCv that do not depend on the person. It returns an
// INVALID_ARGUMENT error that names every invalid field.
func ValidateCreateCv(title string, content *cv.Content) error {
	return CvChange{Cv: Cv{Title: title, Content: content}, NewTitle: true, NewContent: true}.validate()
}

// Cv returns a CV. It returns CV_NOT_FOUND if the CV does not exist.
func (s *Service) Cv(ctx context.Context, cvID string) (Cv, error) {
	if !id.Valid(cvPrefix, cvID) {
		return Cv{}, ErrCvNotFound
	}
	return s.cfg.Store.Cv(ctx, cvID)
}

// UpdateCv replaces the title, the content or both of a CV. It returns CV_NOT_FOUND, or an INVALID_ARGUMENT
// error that names every invalid field.
func (s *Service) UpdateCv(ctx context.Context, change CvChange) (Cv, error) {
	if err := change.validate(); err != nil {
		return Cv{}, err
	}
	if !id.Valid(cvPrefix, change.ID) {
		return Cv{}, ErrCvNotFound
	}
	change.Content = cv.ToStore(change.Content)
	change.UpdatedAt = s.cfg.Clock.Now()
	return s.cfg.Store.UpdateCv(ctx, change)
}

func (c CvChange) validate() error {
	faults := fault.Argument()
	if c.NewTitle {
		format.Name(faults, "title", c.Title, maxTitle)
	}
	if c.NewContent {
		cv.Validate(c.Content, faults, "content")
	}
	if !c.NewTitle && !c.NewContent {
		faults.Add("title", "or content must be set")
	}
	return faults.Err()
}

// DeleteCv deletes a CV. It returns CV_NOT_FOUND if the CV does not exist.
func (s *Service) DeleteCv(ctx context.Context, cvID string) error {
	if !id.Valid(cvPrefix, cvID) {
		return ErrCvNotFound
	}
	return s.cfg.Store.DeleteCv(ctx, cvID)
}
