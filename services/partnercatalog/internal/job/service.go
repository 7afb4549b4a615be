package job

import (
	"context"
	"errors"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
)

// Posting is a job with the app that manages its company.
type Posting struct {
	Job   Job
	AppID string
}

// Owner identifies the owner of a job.
type Owner struct {
	// CompanyID is the company of the job, AppID the app that manages it.
	CompanyID, AppID string
}

// Config contains the dependencies of the Service. Every field is required.
type Config struct {
	Store Store
	Clock clock.Clock
}

// Service implements the use cases for jobs.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService returns a Service. It fails if a dependency is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil {
		return nil, errors.New("job: Store and Clock are required")
	}
	return &Service{store: c.Store, clock: c.Clock}, nil
}

// Job returns a job of the app. Errors: ErrNotFound, company.ErrNotManaged.
func (s *Service) Job(ctx context.Context, appID, jobID string) (Job, error) {
	if !fault.IsStorable(jobID) {
		return Job{}, ErrNotFound
	}
	return s.store.Job(ctx, appID, jobID)
}

// Posting returns any job, for internal callers. Errors: ErrNotFound.
func (s *Service) Posting(ctx context.Context, jobID string) (Posting, error) {
	if !fault.IsStorable(jobID) {
		return Posting{}, ErrNotFound
	}
	return s.store.Posting(ctx, jobID)
}

// Owner returns the owner of any job, for internal callers. Errors: ErrNotFound.
func (s *Service) Owner(ctx context.Context, jobID string) (Owner, error) {
	if !fault.IsStorable(jobID) {
		return Owner{}, ErrNotFound
	}
	return s.store.Owner(ctx, jobID)
}

// RecordApplications raises the application counts of jobs. Lower counts are ignored
// (behaviour: jobs#application-count).
func (s *Service) RecordApplications(ctx context.Context, counts map[string]int32) error {
	known := map[string]int32{}
	for jobID, count := range counts {
		if fault.IsStorable(jobID) {
			known[jobID] = count
		}
	}
	return s.store.RecordApplications(ctx, known)
}
