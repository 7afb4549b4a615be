package application

import (
	"context"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
)

const idPrefix = "apl"

// maxCoverLetter in characters.
const maxCoverLetter = 20_000

// Request is a request to apply.
type Request struct {
	// PersonID is the applicant.
	JobID, PersonID string
	Submission
	// CoverLetter is empty for none.
	CoverLetter string
	Answers     []AnswerInput
	Source      Source
	// AppliedAt is the time of applying; zero for now.
	AppliedAt time.Time
	// Unreadable are fields with values that this struct cannot represent, such as an invalid
	// time. They are the first faults of the request.
	Unreadable []errs.Violation
}

// New is an application to store.
type New struct {
	// Application has no Cv, which the store copies.
	Application
	Submission
	CoverLetter string
}

// Apply creates an application. Errors: INVALID_ARGUMENT naming every field that is
// wrong; JOB_NOT_FOUND, JOB_NOT_LIVE, PROFILE_NOT_FOUND, CV_NOT_FOUND,
// RESUME_NOT_FOUND, ALREADY_APPLIED.
//
// The job's questions come from partnercatalog, which is not called for a request that is
// already invalid. Then the error does not have the faults of the answers. ValidateApply
// reports all faults together.
func (s *Service) Apply(ctx context.Context, r Request) (Row, error) {
	// The time is taken before the call to partnercatalog, so that the order of applications
	// does not depend on its duration.
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

// ValidateApply makes the checks of Apply that need no lookup, for a given job. Errors: INVALID_ARGUMENT naming every invalid field; JOB_NOT_LIVE.
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

// made returns the application to store.
func (r Request) made(posting Posting, answers []Answer, now time.Time) New {
	at := now
	if !r.AppliedAt.IsZero() {
		at = r.AppliedAt.UTC()
	}
	// Lists show milliseconds. Applications with the same time must be in the order of their
	// ids, so the time is not stored more precisely.
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
