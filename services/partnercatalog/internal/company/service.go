package company

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
)

// Config holds the dependencies of the Service. All fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
}

// Service implements the use cases for companies.
type Service struct{ cfg Config }

// NewService returns a Service. It returns an error if a dependency is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil {
		return nil, errors.New("company: Store and Clock are required")
	}
	return &Service{c}, nil
}

// Get returns a company of the app. It returns ErrNotManaged if the app does not manage the
// company.
func (s *Service) Get(ctx context.Context, appID, id string) (Company, error) {
	found, err := s.Page(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && found.AppID != appID {
		return Company{}, ErrNotManaged
	}
	return found, err
}

// List returns a page of the app's companies, newest first, and the total number of its companies.
func (s *Service) List(ctx context.Context, appID string, skip, size int64) ([]Company, int32, error) {
	return s.cfg.Store.Companies(ctx, appID, skip, size)
}

// Page returns a company regardless of the app that manages it. It returns ErrNotFound if the
// company does not exist.
func (s *Service) Page(ctx context.Context, id string) (Company, error) {
	if !fault.IsStorable(id) {
		return Company{}, ErrNotFound
	}
	return s.cfg.Store.Company(ctx, id)
}

// now returns the current time with the precision of API responses.
func (s *Service) now() time.Time { return s.cfg.Clock.Now().Truncate(time.Millisecond) }
