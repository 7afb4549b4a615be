package job

import (
	"context"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/partnercatalog/internal/company"
)

// Query asks for a page of a company's jobs.
type Query struct {
	AppID     string
	CompanyID string
	// Status is the status that the jobs must have. Nil stands for every status but
	// archived (behaviour: requests#status-filters).
	Status *Status
	// Skip is the number of jobs before the page, Size the number on it.
	Skip int64
	Size int32
}

// Page is a part of a list.
type Page struct {
	Jobs []Job
	// Total is the length of the whole list.
	Total int32
}

// Statuses gives the statuses of the jobs that q asks for.
func (q Query) Statuses() []Status {
	if q.Status != nil {
		return []Status{*q.Status}
	}
	return []Status{Draft, Active, Closed}
}

// List gives a page of a company's jobs, newest first. Errors: a fault of the status;
// company.ErrNotManaged.
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
	return s.store.Jobs(ctx, q)
}
