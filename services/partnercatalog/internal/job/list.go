package job

import (
	"context"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/partnercatalog/internal/company"
)

// Query selects a page of a company's jobs.
type Query struct {
	AppID     string
	CompanyID string
	// Status filters the jobs by status. Nil means all but archived jobs
	// (behaviour: requests#status-filters).
	Status *Status
	// Skip is the number of jobs before the page, and Size the size of the page.
	Skip int64
	Size int32
}

// Page is one page of a list.
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

// List returns a page of a company's jobs, newest first. Errors: a fault of the status;
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
