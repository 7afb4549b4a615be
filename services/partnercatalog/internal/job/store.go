package job

import (
	"context"
	"time"
)

// Store keeps jobs. Every method is atomic: it does all or nothing. A method that
// takes an app fails with company.ErrNotManaged for a company or a job that the app
// does not manage. An unknown job is ErrNotFound.
type Store interface {
	// CreateJob adds j to its company and pins key, if there is one, to it. If the
	// key is pinned already, it adds nothing and gives the job that the key is pinned
	// to. If another call is about to pin the key, it waits for that call's outcome.
	CreateJob(ctx context.Context, appID string, j Job, key Key) (Created, error)
	// PinnedJob gives the job that key is pinned to, nil if there is none.
	PinnedJob(ctx context.Context, appID, companyID string, key Key) (*Job, error)
	// Job gives a job.
	Job(ctx context.Context, appID, jobID string) (Job, error)
	// Posting gives a job to callers that act for no app.
	Posting(ctx context.Context, jobID string) (Posting, error)
	// Owner says whose a job is.
	Owner(ctx context.Context, jobID string) (Owner, error)
	// Headings gives the headings of jobs, in no order. It leaves out unknown jobs.
	Headings(ctx context.Context, jobIDs []string) ([]Heading, error)
	// Jobs gives a page of a company's jobs, newest first.
	Jobs(ctx context.Context, q Query) (Page, error)
	// EditJob locks a job, passes it to change, and keeps its sections after that. It
	// keeps nothing if change fails.
	EditJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	// MoveJob does as EditJob does, and keeps the status.
	MoveJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	// RecordApplications raises the counts of jobs. It ignores unknown jobs.
	RecordApplications(ctx context.Context, counts map[string]int32) error
}

// KeyStore forgets idempotency keys.
type KeyStore interface {
	// DeleteKeys forgets up to atMost keys from before a time, and says how many.
	DeleteKeys(ctx context.Context, before time.Time, atMost int32) (int64, error)
}
