package company

import "context"

// Store keeps companies. Every method is atomic: it does all or nothing.
type Store interface {
	// CreateCompany adds c and counts it. Errors: ErrSlugTaken, ErrExternalIDTaken.
	CreateCompany(ctx context.Context, c Company) error
	// CreateNumberedCompany adds c under the slug that consists of stem, a hyphen and a
	// number, and gives that slug. The number is the last one of the stem plus step;
	// before the first, the last one is 1. Errors: ErrSlugTaken, after which the next
	// call continues behind the number that was taken; ErrExternalIDTaken.
	CreateNumberedCompany(ctx context.Context, c Company, stem string, step int64) (slug string, err error)
	// SlugIsTaken reports whether a company has the slug.
	SlugIsTaken(ctx context.Context, slug string) (bool, error)
	// Company gives a company. Errors: ErrNotFound.
	Company(ctx context.Context, id string) (Company, error)
	// CompanyByExternalID gives the company of an app by the app's own identifier.
	// Errors: ErrNotFound.
	CompanyByExternalID(ctx context.Context, appID, externalID string) (Company, error)
	// Companies gives the companies of an app, newest first, without the first
	// skip and at most size of them, and how many there are in all.
	Companies(ctx context.Context, appID string, skip, size int64) ([]Company, int32, error)
	// UpdateCompany writes a change and gives the company with it. UpdatedAt
	// moves in any case. Errors: ErrNotFound when no company has the id, the app, the
	// slug and the external id of the change.
	UpdateCompany(ctx context.Context, change Change) (Company, error)
}
