package export

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
)

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Store    Store
	Profiles Profiles
	Files    Files
	Account  Account
	Renderer Renderer
	Shared   Shared
	Applied  Applied
	Photos   Photos
	Clock    clock.Clock
	Log      *slog.Logger
}

// Service implements the use cases for exports.
type Service struct{ cfg Config }

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Profiles == nil || c.Files == nil || c.Account == nil || c.Renderer == nil || c.Shared == nil || c.Applied == nil || c.Photos == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("export: Store, Profiles, Files, Account, Renderer, Shared, Applied, Photos, Clock and Log are required")
	}
	return &Service{c}, nil
}

// Start starts an export in the background, or returns the one in progress
// (behaviour: account-data#how-often). It returns ErrTooOften, with the time to wait, if the person has
// started too many exports.
func (s *Service) Start(ctx context.Context, personID, language string) (Export, error) {
	if !fault.IsStorable(personID) {
		return Export{}, ErrNotFound
	}
	now := s.cfg.Clock.Now()
	asked, err := s.cfg.Store.Exports(ctx, personID, now.Add(-Within))
	if err != nil {
		return Export{}, err
	}
	if len(asked) > 0 && asked[0].State == BeingMade {
		return asked[0], nil
	}
	if wait := tooOften(asked, now); wait > 0 {
		return Export{}, ErrTooOften.WithRetryAfter(wait)
	}
	e := Export{ID: id.New(idPrefix), PersonID: personID, Language: language, RequestedAt: now, State: BeingMade}
	added, err := s.cfg.Store.AddExport(ctx, e)
	if err != nil || added {
		return e, err
	}
	return s.Latest(ctx, personID) // a concurrent call came first
}

// tooOften returns the time to wait until the next export is allowed, or 0 if it is allowed now.
func tooOften(asked []Export, now time.Time) time.Duration {
	recent := 0
	for _, e := range asked {
		if e.State == Failed || !e.RequestedAt.After(now.Add(-Within)) {
			continue
		}
		if recent++; recent == MostOften {
			return e.RequestedAt.Add(Within).Sub(now)
		}
	}
	return 0
}

// Latest returns a person's most recent export that is in progress, ready or failed. It returns
// ErrNotFound if there is none.
func (s *Service) Latest(ctx context.Context, personID string) (Export, error) {
	if !fault.IsStorable(personID) {
		return Export{}, ErrNotFound
	}
	now := s.cfg.Clock.Now()
	all, err := s.cfg.Store.Exports(ctx, personID, now)
	if err != nil {
		return Export{}, err
	}
	for _, e := range all {
		if e.State != Removed && !e.expired(now) {
			return e, nil
		}
	}
	return Export{}, ErrNotFound
}

func (e Export) expired(now time.Time) bool { return e.State == Ready && !now.Before(e.ExpiresAt) }

// Open returns the bytes of one of the person's exports. The caller must close the result. It returns
// ErrNotFound if the export is not ready, has expired or belongs to someone else.
func (s *Service) Open(ctx context.Context, personID, exportID string) (Export, io.ReadCloser, error) {
	e, err := s.Latest(ctx, personID)
	if err != nil {
		return Export{}, nil, err
	}
	if e.ID != exportID || e.State != Ready {
		return Export{}, nil, ErrNotFound
	}
	content, err := s.cfg.Files.Open(ctx, e.key())
	if err != nil {
		s.cfg.Log.ErrorContext(ctx, "the bytes of an export cannot be read", "export", e.ID, "error", err)
	}
	return e, content, err
}
