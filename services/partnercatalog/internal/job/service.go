package job

import (
	"context"
	"errors"
	"slices"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/partnercatalog/internal/company"
)

// Posting is a job, with the app that manages its company.
type Posting struct {
	Job   Job
	AppID string
}

// Owner identifies the company to which a job belongs, and the app that manages the company.
type Owner struct {
	CompanyID, AppID string
}

// Config holds the dependencies of the Service. All fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
}

// Service implements the use cases for jobs.
type Service struct{ cfg Config }

// NewService returns a Service. It returns an error if a dependency is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil {
		return nil, errors.New("job: Store and Clock are required")
	}
	return &Service{c}, nil
}

// Job returns a job of the app. It returns ErrNotFound if the job does not exist, and
// company.ErrNotManaged if the app does not manage the job's company.
func (s *Service) Job(ctx context.Context, appID, jobID string) (Job, error) {
	if !fault.IsStorable(jobID) {
		return Job{}, ErrNotFound
	}
	return s.cfg.Store.Job(ctx, appID, jobID)
}

// Posting returns a job regardless of the app that manages it, for internal callers. It returns
// ErrNotFound if the job does not exist.
func (s *Service) Posting(ctx context.Context, jobID string) (Posting, error) {
	if !fault.IsStorable(jobID) {
		return Posting{}, ErrNotFound
	}
	return s.cfg.Store.Posting(ctx, jobID)
}

// Owner returns the owner of a job regardless of the app that manages it, for internal callers. It
// returns ErrNotFound if the job does not exist.
func (s *Service) Owner(ctx context.Context, jobID string) (Owner, error) {
	if !fault.IsStorable(jobID) {
		return Owner{}, ErrNotFound
	}
	return s.cfg.Store.Owner(ctx, jobID)
}

// RecordApplications raises the application counts of jobs. It ignores counts lower than the
// current ones (behaviour: jobs#application-count).
func (s *Service) RecordApplications(ctx context.Context, counts map[string]int32) error {
	known := map[string]int32{}
	for jobID, count := range counts {
		if fault.IsStorable(jobID) {
			known[jobID] = count
		}
	}
	return s.cfg.Store.RecordApplications(ctx, known)
}

// Query selects a page of a company's jobs.
type Query struct {
	AppID     string
	CompanyID string
	// Status selects jobs with the given status. If it is nil, all jobs except archived ones are
	// selected (behaviour: requests#status-filters).
	Status *Status
	// Skip is the number of jobs before the page, and Size is the size of the page.
	Skip int64
	Size int32
}

// Page is a page of a list.
type Page struct {
	Jobs []Job
	// Total is the length of the whole list.
	Total int32
}

// Statuses returns the statuses that q selects.
func (q Query) Statuses() []Status {
	if q.Status != nil {
		return []Status{*q.Status}
	}
	return []Status{Draft, Active, Closed}
}

// List returns a page of a company's jobs, newest first. It returns a validation error if the
// status is invalid, and company.ErrNotManaged if the app does not manage the company.
func (s *Service) List(ctx context.Context, q Query) (Page, error) {
	if q.Status != nil {
		f := newFaults()
		oneOf(f, "status", *q.Status, Statuses)
		if err := f.Err(); err != nil {
			return Page{}, err
		}
	}
	if !fault.IsStorable(q.CompanyID) {
		return Page{}, company.ErrNotManaged
	}
	return s.cfg.Store.Jobs(ctx, q)
}

// Heading describes a job to people who have applied for it.
type Heading struct {
	JobID, Title string
	// Employer is the name of the company or, if the job is masked, its public label, which may be
	// empty.
	Employer string
	Masked   bool
}

// Headings returns the headings of the given jobs, in no particular order. It skips unknown jobs.
func (s *Service) Headings(ctx context.Context, jobIDs []string) ([]Heading, error) {
	known := slices.DeleteFunc(slices.Clone(jobIDs), func(id string) bool { return !fault.IsStorable(id) })
	return s.cfg.Store.Headings(ctx, known)
}
