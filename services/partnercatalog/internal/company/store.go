package company

import "context"

// Store persists companies. Every method is atomic.
type Store interface {
	// CreateCompany adds c and updates the app's count. It returns ErrSlugTaken or
	// ErrExternalIDTaken if a company with that value exists.
	CreateCompany(ctx context.Context, c Company) error
	// CreateNumberedCompany adds c with the slug STEM-NUMBER and returns the slug. The number is
	// the last number of the stem, which is initially 1, plus step. It returns ErrSlugTaken if the
	// slug is taken; the next call then continues from the taken number. It returns
	// ErrExternalIDTaken like CreateCompany.
	CreateNumberedCompany(ctx context.Context, c Company, stem string, step int64) (slug string, err error)
	SlugIsTaken(ctx context.Context, slug string) (bool, error)
	// Company returns a company, or ErrNotFound.
	Company(ctx context.Context, id string) (Company, error)
	// CompanyByExternalID returns the company of an app with the given external id, or ErrNotFound.
	CompanyByExternalID(ctx context.Context, appID, externalID string) (Company, error)
	// Companies returns a page of an app's companies, newest first, and the total number of its
	// companies.
	Companies(ctx context.Context, appID string, skip, size int64) ([]Company, int32, error)
	// UpdateCompany applies a change and returns the changed company. It always sets UpdatedAt. It
	// returns ErrNotFound if no company meets the conditions of the change.
	UpdateCompany(ctx context.Context, change Change) (Company, error)
}
