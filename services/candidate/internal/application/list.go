package application

import (
	"context"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// maxQuery in characters.
const maxQuery = 200

// Filter says which applications of a job to list.
type Filter struct {
	// JobID is the job.
	JobID string
	// Status is the stage; empty for all.
	Status Status
	// Query is text that the name, the e-mail address or the title of the submitted CV
	// contains, in the form of Fold; empty for any.
	Query string
}

// Page is a part of a list.
type Page struct {
	// Offset is how many applications come before it.
	Offset int64
	// Size is how many it has at most.
	Size int32
}

// List is a page with the number of applications that match the filter.
type List struct {
	// Rows of the page, newest first.
	Rows []Row
	// Total of the whole list, exact.
	Total int32
}

// ListRequest asks for a page of a job's applications.
type ListRequest struct {
	// AppID is the app that asks.
	AppID string
	// Filter as the caller sent it, the query not folded.
	Filter Filter
	// Page to give.
	Page Page
	// Unreadable are the fields whose value has no form in this struct, such as a page
	// number below 1. They are the first faults of the request.
	Unreadable []errs.Violation
}

// ForJob lists the applications to a job for the app that manages it.
// Errors: PUBLIC_API_VALIDATION_ERROR naming every field that is wrong;
// JOB_NOT_FOUND, COMPANY_NOT_MANAGED_BY_APP.
func (s *Service) ForJob(ctx context.Context, r ListRequest) (List, error) {
	if err := r.validate(); err != nil {
		return List{}, err
	}
	if !fault.IsStorable(r.Filter.JobID) {
		return List{}, ErrJobNotFound
	}
	appID, err := s.catalog.AppOf(ctx, r.Filter.JobID)
	if err != nil {
		return List{}, err
	}
	if appID != r.AppID {
		return List{}, ErrNotManaged
	}
	r.Filter.Query = Fold(r.Filter.Query)
	return s.store.List(ctx, r.Filter, r.Page)
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
