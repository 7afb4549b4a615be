package application

import (
	"context"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
)

const idPrefix = "apl"

// maxCoverLetter is the maximum length of a cover letter, in characters.
const maxCoverLetter = 20_000

// Request is a request to apply.
type Request struct {
	// PersonID is the applicant.
	JobID, PersonID string
	Submission
	// CoverLetter is empty if there is none.
	CoverLetter string
	Answers     []AnswerInput
	Source      Source
	// AppliedAt is the time of the application. If it is zero, the current time is used.
	AppliedAt time.Time
	// Unreadable lists the fields whose values this struct cannot represent, such as an invalid
	// time. They come first in the validation error.
	Unreadable []errs.Violation
}

// New is an application to be stored.
type New struct {
	// Application.Cv is not set, because the store copies the CV.
	Application
	Submission
	CoverLetter string
}

// Apply creates an application. It returns JOB_NOT_FOUND, JOB_NOT_LIVE, PROFILE_NOT_FOUND,
// CV_NOT_FOUND, RESUME_NOT_FOUND, ALREADY_APPLIED, or an INVALID_ARGUMENT error that names every
// invalid field.
//
// It reads the job's questions from the partnercatalog service, but only if the rest of the request
// is valid. Otherwise, the error does not cover the answers. ValidateApply, in contrast, reports
// all invalid fields together.
func (s *Service) Apply(ctx context.Context, r Request) (Row, error) {
	// Read the clock before calling the partnercatalog service, so that the order of applications
	// does not depend on how long the call takes.
	now := s.cfg.Clock.Now()
	if err := r.validate(now).Err(); err != nil {
		return Row{}, err
	}
	posting, err := s.cfg.Catalog.Posting(ctx, r.JobID)
	if err != nil {
		return Row{}, err
	}
	if !posting.Live {
		return Row{}, ErrJobNotLive
	}
	faults := fault.Argument()
	answers := answersTo(posting.Questions, r.Answers, faults)
	if err := faults.Err(); err != nil {
		return Row{}, err
	}
	row, err := s.cfg.Store.Apply(ctx, r.made(posting, answers, now))
	if err != nil {
		return Row{}, err
	}
	s.cfg.Counted.Wake()
	return row, nil
}

// ValidateApply performs those checks of Apply that need no lookup, for the given job. It returns
// JOB_NOT_LIVE, or an INVALID_ARGUMENT error that names every invalid field.
func (s *Service) ValidateApply(r Request, posting Posting) error {
	faults := r.validate(s.cfg.Clock.Now())
	if !posting.Live && faults.Err() == nil {
		return ErrJobNotLive
	}
	answersTo(posting.Questions, r.Answers, faults)
	return faults.Err()
}

func (r Request) validate(now time.Time) *fault.List {
	faults := fault.Argument()
	for _, v := range r.Unreadable {
		faults.Add(v.Field, "%s", v.Description)
	}
	for _, id := range []struct{ path, value string }{
		{"job_id", r.JobID}, {"person_id", r.PersonID}, {"cv_id", r.CvID}, {"resume_id", r.ResumeID},
	} {
		if !fault.IsStorable(id.value) {
			faults.Add(id.path, "must not hold a NUL character")
		}
	}
	faults.Text("cover_letter", r.CoverLetter, maxCoverLetter)
	if r.AppliedAt.After(now) {
		faults.Add("applied_at", "must not be in the future")
	}
	return faults
}

// made returns the application that is to be stored.
func (r Request) made(posting Posting, answers []Answer, now time.Time) New {
	at := now
	if !r.AppliedAt.IsZero() {
		at = r.AppliedAt.UTC()
	}
	// Lists show times in milliseconds. Applications with the same time must be sorted by id, so no
	// higher precision is stored.
	at = at.Truncate(time.Millisecond)
	return New{
		Application: Application{
			ID:        id.New(idPrefix),
			JobID:     posting.JobID,
			CompanyID: posting.CompanyID,
			AppID:     posting.AppID,
			PersonID:  r.PersonID,
			Status:    Applied,
			AppliedAt: at,
			UpdatedAt: at,
			Source:    r.Source,
			Answers:   answers,
			History:   []Change{{Status: Applied, At: at}},
		},
		Submission:  r.Submission,
		CoverLetter: r.CoverLetter,
	}
}
