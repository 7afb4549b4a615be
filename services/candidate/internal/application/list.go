package application

import (
	"context"
	"strings"
	"unicode/utf8"

	"vitae.internal/pkg/errs"
)

// codeInvalid is the public code of a list that cannot be asked for.
const codeInvalid = "PUBLIC_API_VALIDATION_ERROR"

// maxQuery in characters.
const maxQuery = 200

// Filter says which applications of a job to list.
type Filter struct {
	// JobID is the job.
	JobID string
	// Status is the stage; empty for all.
	Status Status
	// Query is text that name, e-mail or title of the submitted CV contains, as Fold
	// gives it; empty for any.
	Query string
}

// Page is a part of a list.
type Page struct {
	// Offset is how many applications come before it.
	Offset int64
	// Size is how many it has at most.
	Size int32
}

// List is a page with the number of applications that the filter lets through.
type List struct {
	// Rows of the page, newest first.
	Rows []Row
	// Total of the whole list, exact.
	Total int32
}

// ForJob lists the applications to a job for the app that manages it. The query
// of f is as the caller sent it. Errors: PUBLIC_API_VALIDATION_ERROR naming the
// field; JOB_NOT_FOUND, COMPANY_NOT_MANAGED_BY_APP.
func (s *Service) ForJob(ctx context.Context, appID string, f Filter, p Page) (List, error) {
	if err := f.validate(); err != nil {
		return List{}, err
	}
	if strings.ContainsRune(f.JobID, 0) {
		return List{}, ErrJobNotFound
	}
	posting, err := s.catalog.Posting(ctx, f.JobID)
	if err != nil {
		return List{}, err
	}
	if posting.AppID != appID {
		return List{}, ErrNotManaged
	}
	f.Query = Fold(f.Query)
	return s.store.List(ctx, f, p)
}

func (f Filter) validate() error {
	fail := func(field, rule string, args ...any) error {
		return errs.New(errs.Invalid, codeInvalid, rule, args...).WithField(field)
	}
	switch {
	case f.Status != "" && !f.Status.Valid():
		return fail("status", "must be applied, reviewed, shortlisted, interview, offered, rejected or withdrawn")
	case !utf8.ValidString(f.Query):
		return fail("query", "must be valid UTF-8")
	case strings.ContainsRune(f.Query, 0):
		return fail("query", "must not hold a NUL character")
	case utf8.RuneCountInString(f.Query) > maxQuery:
		return fail("query", "must be at most %d characters", maxQuery)
	}
	return nil
}
