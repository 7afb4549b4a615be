package company

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/services/partnercatalog/internal/validate"
)

// Store keeps companies. Every method is atomic: it does all or nothing.
type Store interface {
	// CreateCompany adds c and counts it. Errors: ErrSlugTaken, ErrExternalIDTaken.
	CreateCompany(ctx context.Context, c Company) error
	// CreateNumberedCompany adds c, with stem, a hyphen and a number for its slug,
	// and gives that slug. The number is the stem's last one and step, 1 before the
	// first. Errors: ErrSlugTaken, and the next call goes on behind it;
	// ErrExternalIDTaken.
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
	// UpdateCompany writes a change and gives the company as it is then; UpdatedAt
	// moves in any case. Errors: ErrNotFound when no company has the id, the app, the
	// slug and the external id of the change.
	UpdateCompany(ctx context.Context, change Change) (Company, error)
}

// Service is the use cases of companies.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService makes the use cases on a store.
func NewService(store Store, clk clock.Clock) (*Service, error) {
	if store == nil || clk == nil {
		return nil, errors.New("company: a store and a clock are required")
	}
	return &Service{store: store, clock: clk}, nil
}

// Get gives a company of the app. Errors: ErrNotManaged.
func (s *Service) Get(ctx context.Context, appID, id string) (Company, error) {
	found, err := s.Page(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && found.AppID != appID {
		return Company{}, ErrNotManaged
	}
	return found, err
}

// List gives companies of the app, newest first, and how many it has in all.
func (s *Service) List(ctx context.Context, appID string, skip, size int64) ([]Company, int32, error) {
	return s.store.Companies(ctx, appID, skip, size)
}

// Page gives any company. Errors: ErrNotFound.
func (s *Service) Page(ctx context.Context, id string) (Company, error) {
	if !validate.IsStorable(id) {
		return Company{}, ErrNotFound
	}
	return s.store.Company(ctx, id)
}

// now is the time of a write, as answers show it.
func (s *Service) now() time.Time { return s.clock.Now().Truncate(time.Millisecond) }
