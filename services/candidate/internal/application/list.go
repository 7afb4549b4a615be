package application

import (
	"context"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// maxQuery is the maximum length of a query, in characters.
const maxQuery = 200

// Filter selects applications to a job.
type Filter struct {
	JobID string
	// Status is the stage, or empty for all stages.
	Status Status
	// Query is folded text that must occur in the name, the email address or the title of the
	// submitted CV. If it is empty, every application matches.
	Query string
}

// Page selects a page of a list.
type Page struct {
	Offset int64
	// Size is the maximum number of applications on the page.
	Size int32
}

// List is a page, with the number of applications that match the filter.
type List struct {
	// Rows are sorted newest first.
	Rows []Row
	// Total is the exact number of matches.
	Total int32
}

// ListRequest is a request for a page of a job's applications.
type ListRequest struct {
	// AppID is the id of the calling app.
	AppID string
	// Filter selects the applications. Its Query is not folded yet.
	Filter Filter
	Page   Page
	// Unreadable lists the fields whose values this struct cannot represent, such as a page number
	// below 1. They come first in the validation error.
	Unreadable []errs.Violation
}

// ForJob lists the applications to a job for the app that manages it. It returns JOB_NOT_FOUND,
// COMPANY_NOT_MANAGED_BY_APP, or a PUBLIC_API_VALIDATION_ERROR that names every invalid field.
func (s *Service) ForJob(ctx context.Context, r ListRequest) (List, error) {
	if err := r.validate(); err != nil {
		return List{}, err
	}
	if !fault.IsStorable(r.Filter.JobID) {
		return List{}, ErrJobNotFound
	}
	appID, err := s.cfg.Catalog.AppOf(ctx, r.Filter.JobID)
	if err != nil {
		return List{}, err
	}
	if appID != r.AppID {
		return List{}, ErrNotManaged
	}
	r.Filter.Query = Fold(r.Filter.Query)
	return s.cfg.Store.List(ctx, r.Filter, r.Page)
}

func (r ListRequest) validate() error {
	faults := fault.Validation()
	for _, v := range r.Unreadable {
		faults.Add(v.Field, "%s", v.Description)
	}
	if r.Filter.Status != "" && !r.Filter.Status.Valid() {
		faults.Add("status", "must be a stage of an application")
	}
	faults.Text("query", r.Filter.Query, maxQuery)
	return faults.Err()
}
