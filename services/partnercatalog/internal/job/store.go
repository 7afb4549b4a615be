package job

import (
	"context"
	"time"
)

// Store persists jobs. Every method is atomic. Methods that take an app return
// company.ErrNotManaged for companies and jobs of other apps. For unknown jobs, the error is
// ErrNotFound.
type Store interface {
	// CreateJob adds j and pins key, if set, to it. If the key is already pinned, it returns the
	// pinned job instead. It waits for a concurrent call with the same key.
	CreateJob(ctx context.Context, appID string, j Job, key Key) (Created, error)
	// PinnedJob returns the job that key is pinned to, or nil.
	PinnedJob(ctx context.Context, appID, companyID string, key Key) (*Job, error)
	Job(ctx context.Context, appID, jobID string) (Job, error)
	// Posting returns any job.
	Posting(ctx context.Context, jobID string) (Posting, error)
	// Owner returns the owner of any job.
	Owner(ctx context.Context, jobID string) (Owner, error)
	// Headings returns headings in no particular order, skipping unknown jobs.
	Headings(ctx context.Context, jobIDs []string) ([]Heading, error)
	// Jobs returns a page of a company's jobs, newest first.
	Jobs(ctx context.Context, q Query) (Page, error)
	// EditJob locks a job, passes it to change, and stores its sections unless change fails.
	EditJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	// MoveJob is like EditJob, but stores the status.
	MoveJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	// RecordApplications raises application counts. It ignores unknown jobs.
	RecordApplications(ctx context.Context, counts map[string]int32) error
}

// KeyStore deletes idempotency keys.
type KeyStore interface {
	// DeleteKeys deletes up to atMost keys created before a time, and returns their number.
	DeleteKeys(ctx context.Context, before time.Time, atMost int32) (int64, error)
}
