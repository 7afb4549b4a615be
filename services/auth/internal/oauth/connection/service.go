package connection

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/credentials/revocation"
)

// Errors returned by this package.
var (
	ErrNotFound = errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "There is no such connection.")
	// ErrNoCV is returned for a change to CV sharing if no CV has been granted.
	ErrNoCV = errs.New(errs.Precondition, "CV_NOT_GRANTED", "The app was not given a CV. Only a new consent can do that.")
	// ErrNotGranted is returned for a permission that the person never granted.
	ErrNotGranted = errs.New(errs.Precondition, "PERMISSION_NOT_GRANTED", "The app was not given this. Only a new consent can do that.")
)

// Store stores connections.
type Store interface {
	// Connections lists a person's live connections, newest first.
	Connections(ctx context.Context, personID string, now time.Time) ([]Connection, error)
	// ChangeConnection locks the person's live connections with the app, calls change for each of them, beginning
	// with the given one, and stores the results. If a connection no longer shares its CV, ChangeConnection ends its
	// durable link. Errors: ErrNotFound, and all errors returned by change.
	ChangeConnection(ctx context.Context, personID, id string, now time.Time, change func(Connection) (Connection, error)) (Connection, revocation.Entry, error)
	// Reads lists what the connection's app has read since the given day, newest day first. From contains only known
	// countries.
	Reads(ctx context.Context, personID, id string, since time.Time) ([]Read, error)
	// EndConnection ends a person's live connection and the person's connection with the same app through the other
	// interface, including their codes, tokens and links. If the connection is not live, it returns ErrNotFound. If
	// an earlier call has ended it and that call's entry is still pending, EndConnection returns that entry too.
	EndConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error)
	// EndOneConnection is like EndConnection, but keeps the connection through the other interface.
	EndOneConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error)
}

// Config configures a Service. All fields except ShowCountries are required.
type Config struct {
	Store       Store
	Revocations *revocation.Publisher
	// ShowCountries enables showing the countries of reads (behaviour: usage#countries-of-reads).
	ShowCountries bool
	Clock         clock.Clock
}

// Service manages connections.
type Service struct {
	store         Store
	revocations   *revocation.Publisher
	showCountries bool
	clock         clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Revocations == nil || c.Clock == nil {
		return nil, errors.New("connection: Store, Revocations and Clock are required")
	}
	return &Service{store: c.Store, revocations: c.Revocations, showCountries: c.ShowCountries, clock: c.Clock}, nil
}

// List returns a person's live connections, newest first.
func (s *Service) List(ctx context.Context, personID string) ([]Connection, error) {
	if !fault.IsStorable(personID) {
		return nil, nil
	}
	return s.store.Connections(ctx, personID, s.clock.Now())
}

// Update changes what an app sees. Errors: ErrNotFound, ErrNoCV, ErrNotGranted; Invalid for cv_id or ends_at.
func (s *Service) Update(ctx context.Context, personID, id string, change Change) (Connection, error) {
	now := s.clock.Now()
	if err := change.check(now); err != nil {
		return Connection{}, err
	}
	if !fault.IsStorable(personID) || !fault.IsStorable(id) {
		return Connection{}, ErrNotFound
	}
	changed, entry, err := s.store.ChangeConnection(ctx, personID, id, now, func(c Connection) (Connection, error) {
		if c.ID != id {
			return change.applyToAll(c, now), nil
		}
		return change.apply(c, now)
	})
	if err != nil {
		return Connection{}, err
	}
	return changed, s.revocations.Publish(ctx, entry)
}

// Disconnect ends a connection. Unless only is set, it also ends the connection with the same app through the other
// interface. When Disconnect returns, the connections' tokens, codes and durable links are rejected everywhere, even
// if an earlier call ended the connections. Errors: ErrNotFound.
func (s *Service) Disconnect(ctx context.Context, personID, id string, only bool) error {
	if !fault.IsStorable(personID) || !fault.IsStorable(id) {
		return ErrNotFound
	}
	end := s.store.EndConnection
	if only {
		end = s.store.EndOneConnection
	}
	entry, err := end(ctx, personID, id, s.clock.Now())
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if pending := s.revocations.Publish(ctx, entry); pending != nil {
		return pending
	}
	return err
}
