package job

import (
	"context"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/validate"
)

// Query is a page of a company's jobs.
type Query struct {
	AppID     string
	CompanyID string
	// Status is the one that jobs must have; nil for all but archived.
	Status *Status
	// Skip is how many jobs come before the page, Size how many are on it.
	Skip int64
	Size int32
}

// Page is a part of a list.
type Page struct {
	Jobs []Job
	// Total is the length of the whole list.
	Total int32
}

// Statuses are those of the jobs that q asks for.
func (q Query) Statuses() []Status {
	if q.Status != nil {
		return []Status{*q.Status}
	}
	return []Status{Draft, Active, Closed}
}

// List gives a page of a company's jobs, newest first. Errors: the status;
// company.ErrNotManaged.
func (s *Service) List(ctx context.Context, q Query) (Page, error) {
	if q.Status != nil {
		f := newFaults(errs.Invalid)
		oneOf(f, "status", *q.Status, Statuses)
		if err := f.Err(); err != nil {
			return Page{}, err
		}
	}
	if !validate.IsStorable(q.CompanyID) {
		return Page{}, company.ErrNotManaged
	}
	return s.store.Jobs(ctx, q)
}
