package application

import (
	"context"
	"strings"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/validate"
)

// idPrefix starts the id of every application.
const idPrefix = "apl"

// maxCoverLetter in characters.
const maxCoverLetter = 20_000

// Request is an application to make.
type Request struct {
	// JobID is which job, PersonID who applies.
	JobID, PersonID string
	// Submission is what is sent in.
	Submission
	// CoverLetter is empty for none.
	CoverLetter string
	// Answers to the job's questions.
	Answers []AnswerInput
	// Source is where it comes from; empty when not said.
	Source Source
	// AppliedAt is when it was made; now when zero.
	AppliedAt time.Time
}

// New is an application to store.
type New struct {
	// Application without its Cv, which the store freezes.
	Application
	Submission
	CoverLetter string
}

// Apply makes an application. Errors: INVALID_ARGUMENT naming the field;
// JOB_NOT_FOUND, JOB_NOT_LIVE, PROFILE_NOT_FOUND, CV_NOT_FOUND, RESUME_NOT_FOUND,
// ALREADY_APPLIED.
func (s *Service) Apply(ctx context.Context, r Request) (Row, error) {
	// Before anything is asked, so that applications are in the order of their
	// calls however long the answers take.
	now := s.clock.Now()
	if err := r.validate(now); err != nil {
		return Row{}, err
	}
	posting, err := s.catalog.Posting(ctx, r.JobID)
	if err != nil {
		return Row{}, err
	}
	answers, err := r.answers(posting)
	if err != nil {
		return Row{}, err
	}
	row, err := s.store.Apply(ctx, r.made(posting, answers, now))
	if err != nil {
		return Row{}, err
	}
	s.counted.Wake()
	return row, nil
}

// CheckApply makes the checks of Apply that need no look-up, for the job as it
// will be. Errors: INVALID_ARGUMENT naming the field; JOB_NOT_LIVE.
func (s *Service) CheckApply(r Request, posting Posting) error {
	if err := r.validate(s.clock.Now()); err != nil {
		return err
	}
	_, err := r.answers(posting)
	return err
}

func (r Request) validate(now time.Time) error {
	var f validate.Fields
	handle := func(path, s string) {
		if strings.ContainsRune(s, 0) {
			f.Fail(path, "must not hold a NUL character")
		}
	}
	handle("job_id", r.JobID)
	handle("person_id", r.PersonID)
	handle("cv_id", r.CvID)
	handle("resume_id", r.ResumeID)
	if (r.CvID == "") == (r.ResumeID == "") {
		f.Fail("submission", "must be a CV or a resume")
	}
	f.Text("cover_letter", r.CoverLetter, maxCoverLetter)
	if r.AppliedAt.After(now) {
		f.Fail("applied_at", "must not be in the future")
	}
	return f.Err()
}

func (r Request) answers(posting Posting) ([]Answer, error) {
	if !posting.Live {
		return nil, ErrJobNotLive
	}
	return answersTo(posting.Questions, r.Answers)
}

func (r Request) made(posting Posting, answers []Answer, now time.Time) New {
	at := now
	if !r.AppliedAt.IsZero() {
		at = r.AppliedAt.UTC()
	}
	// As it is shown: what shows the same time is in the order of the ids.
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
