// Package applications stores applications, their counts and search texts, and the outbox of
// totals.
package applications

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

var (
	_ application.Store = (*Store)(nil)
	_ applicant.Store   = (*Store)(nil)
	_ detail.Store      = (*Store)(nil)
	_ delivery.Outbox   = (*Store)(nil)
)

// Store stores applications.
type Store struct{ db *database.DB }

// New returns a Store.
func New(db *database.DB) *Store { return &Store{db} }

func (s *Store) Apply(ctx context.Context, n application.New) (application.Row, error) {
	row := application.Row{Application: n.Application}
	err := s.db.InTransaction(ctx, "create application", func(t database.Transaction) error {
		q := t.Queries
		applicant, err := q.Applicant(ctx, sqlc.ApplicantParams{
			PersonID: n.PersonID, JobID: n.JobID, CvID: n.CvID, MainCvID: profile.MainCvID,
		})
		if err != nil {
			return database.ErrorOf("read applicant", err, profile.ErrProfileNotFound)
		}
		row.Candidate = application.Candidate{
			PersonID: applicant.PersonID, Name: applicant.Name, Username: applicant.Username,
			Email: applicant.Email, Headline: applicant.Headline, HasPhoto: applicant.HasPhoto,
		}
		frozen, err := freeze(applicant, n.CvID)
		if err != nil {
			return err
		}
		if frozen != nil {
			row.Cv = &frozen.CvReference
		}
		job, err := jobNumber(ctx, q, n.JobID, applicant.Job)
		if err != nil {
			return err
		}
		if err := create(ctx, q, n, row, job, frozen); err != nil {
			return err
		}
		if err := count(ctx, q, n.Application); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{PersonID: n.PersonID, AppID: n.AppID, ObjectID: n.ID})
	})
	if errors.Is(err, application.ErrAlreadyApplied) {
		// The person will not apply again, so make sure that the existing application has reached
		// the standby.
		if unconfirmed := postgres.Confirm(ctx, s.db.Pool); unconfirmed != nil {
			err = unconfirmed
		}
	}
	return row, err
}

// freeze returns the submitted CV as it currently is, or nil if a resume is submitted.
func freeze(a sqlc.ApplicantRow, cvID string) (*application.FrozenCv, error) {
	var frozen application.FrozenCv
	switch {
	case cvID == "":
		return nil, nil
	case cvID == profile.MainCvID && a.HasMainCv:
		frozen.CvReference = profile.CvReference{ID: cvID, Title: profile.MainCvTitle, UpdatedAt: a.UpdatedAt.UTC()}
		frozen.CreatedAt = a.CreatedAt.UTC()
	case cvID != profile.MainCvID && a.CvID != nil:
		frozen.CvReference = profile.CvReference{ID: *a.CvID, Title: *a.CvTitle, UpdatedAt: a.CvUpdatedAt.UTC()}
		frozen.CreatedAt = a.CvCreatedAt.UTC()
	default:
		return nil, profile.ErrCvNotFound
	}
	content, err := cv.Decode(a.Content)
	if err != nil {
		return nil, err
	}
	frozen.Content = content
	return &frozen, nil
}

// jobNumber returns the number that stands for the job in the search tables. It is created with the
// job's first application.
func jobNumber(ctx context.Context, q *sqlc.Queries, jobID string, known *int64) (int64, error) {
	if known != nil {
		return *known, nil
	}
	made, err := q.NumberJob(ctx, jobID)
	return made, database.ErrorOf("number job", err, nil)
}

// create stores the application under the job's number, and claims its resume.
func create(ctx context.Context, q *sqlc.Queries, n application.New, row application.Row, job int64, frozen *application.FrozenCv) error {
	answers, err := application.EncodeAnswers(n.Answers)
	if err != nil {
		return err
	}
	params := sqlc.CreateApplicationParams{
		ID: n.ID, JobID: n.JobID, Job: job, CompanyID: n.CompanyID, AppID: n.AppID, PersonID: n.PersonID,
		Status:      string(n.Status),
		AppliedAt:   n.AppliedAt,
		UpdatedAt:   n.UpdatedAt,
		Source:      string(n.Source),
		Answers:     answers,
		CoverLetter: n.CoverLetter,
	}
	for _, change := range n.History {
		params.HistoryStatus = append(params.HistoryStatus, string(change.Status))
		params.HistoryAt = append(params.HistoryAt, change.At)
	}
	var title string
	if frozen != nil {
		title = frozen.Title
		params.CvID, params.CvTitle, params.CvUpdatedAt = &frozen.ID, &frozen.Title, &frozen.UpdatedAt
		params.CvCreatedAt = &frozen.CreatedAt
		if params.CvContent, err = cv.Encode(frozen.Content); err != nil {
			return err
		}
	}
	params.SearchText = application.SearchText(row.Candidate.Name, row.Candidate.Email, title)
	if err := q.CreateApplication(ctx, params); err != nil {
		return database.ErrorOf("create application", err, nil)
	}
	if n.ResumeID == "" {
		return nil
	}
	claimed, err := q.ClaimResume(ctx, sqlc.ClaimResumeParams{ID: n.ResumeID, PersonID: n.PersonID, ApplicationID: &n.ID})
	if err == nil && claimed == 0 {
		return application.ErrResumeNotFound
	}
	return database.ErrorOf("claim resume", err, nil)
}

// count adds an application to the counts, and adds the job's new total to the outbox.
func count(ctx context.Context, q *sqlc.Queries, a application.Application) error {
	if err := MoveCounts(ctx, q, a.JobID, a.AppliedAt, Delta{All, 1}, Delta{a.Status, 1}); err != nil {
		return err
	}
	return database.ErrorOf("announce total", q.AnnounceTotal(ctx, a.JobID), nil)
}

func (s *Store) Move(ctx context.Context, id string, to application.Status, at time.Time, allowed func(application.Status) error) (application.Row, error) {
	var row application.Row
	err := s.db.InTransaction(ctx, "move application", func(t database.Transaction) error {
		q := t.Queries
		locked, err := q.LockApplication(ctx, id)
		if err != nil {
			return database.ErrorOf("lock application", err, application.ErrApplicationNotFound)
		}
		if row, err = listedFromRow(locked); err != nil {
			return err
		}
		from := row.Status
		if err := allowed(from); err != nil {
			return err
		}
		// The last change may have been made by a replica whose clock is ahead.
		if last := row.History[len(row.History)-1].At; at.Before(last) {
			at = last
		}
		if err := q.MoveApplication(ctx, sqlc.MoveApplicationParams{ID: id, Status: string(to), At: at}); err != nil {
			return database.ErrorOf("move application", err, nil)
		}
		row.Status, row.UpdatedAt = to, at
		row.History = append(row.History, application.Change{Status: to, At: at})
		if err := MoveCounts(ctx, q, row.JobID, row.AppliedAt, Delta{from, -1}, Delta{to, 1}); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{
			PersonID: row.PersonID, AppID: row.AppID, ObjectID: id, Details: map[string]string{audit.Status: string(to)},
		})
	})
	return row, err
}
