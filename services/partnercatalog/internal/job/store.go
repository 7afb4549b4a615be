package job

import (
	"context"
	"time"
)

// Store persists jobs. Every method is atomic. Methods with an appID return company.ErrNotManaged
// for companies and jobs that the app does not manage. For unknown jobs, methods return
// ErrNotFound.
type Store interface {
	// CreateJob adds j and pins key, if set, to it. If the key is already pinned to a job,
	// CreateJob returns that job instead. It waits for a concurrent call with the same key.
	CreateJob(ctx context.Context, appID string, j Job, key Key) (Created, error)
	// PinnedJob returns the job to which key is pinned, or nil if there is none.
	PinnedJob(ctx context.Context, appID, companyID string, key Key) (*Job, error)
	Job(ctx context.Context, appID, jobID string) (Job, error)
	// Posting returns a job regardless of the app that manages it.
	Posting(ctx context.Context, jobID string) (Posting, error)
	// Owner returns the owner of a job regardless of the app that manages it.
	Owner(ctx context.Context, jobID string) (Owner, error)
	// Headings returns the headings of the given jobs, in no particular order. It skips unknown
	// jobs.
	Headings(ctx context.Context, jobIDs []string) ([]Heading, error)
	// Jobs returns a page of a company's jobs, newest first.
	Jobs(ctx context.Context, q Query) (Page, error)
	// EditJob locks a job, passes it to change, and stores its sections unless change returns an
	// error.
	EditJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	// MoveJob is like EditJob, but stores the status instead.
	MoveJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	// RecordApplications raises application counts. It ignores unknown jobs.
	RecordApplications(ctx context.Context, counts map[string]int32) error
}

// KeyStore deletes idempotency keys.
type KeyStore interface {
	// DeleteKeys deletes at most atMost keys created before the given time, and returns their
	// number.
	DeleteKeys(ctx context.Context, before time.Time, atMost int32) (int64, error)
}
