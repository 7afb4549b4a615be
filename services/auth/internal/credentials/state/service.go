package state

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/redisx"
	"vitae.internal/services/auth/internal/platform/account"
)

// fillTries is the maximum number of times a credential is read if concurrent revocations keep invalidating the
// result.
const fillTries = 4

// Store reads credentials from Postgres, the source of truth.
type Store interface {
	// Route returns the account of a credential, whether or not it is live. Errors: ErrUnknown.
	Route(ctx context.Context, kind Kind, hash credential.Digest) (accountID string, err error)
	// Read returns the state of a credential if it is live. Errors: ErrUnknown.
	Read(ctx context.Context, kind Kind, hash credential.Digest, now time.Time) (State, error)
	// ReadClientSecret returns the state of a confidential client's secret if it is live. Errors: ErrUnknown.
	ReadClientSecret(ctx context.Context, clientID string, secret credential.Digest, now time.Time) (State, error)
	// ReadConnection returns the state that a token with all scopes of a person's live connection
	// would have. Errors: ErrUnknown.
	ReadConnection(ctx context.Context, personID, connectionID string, now time.Time) (State, error)
	// PhotoAddress returns the target of the photo URL with the given version. Errors: ErrNoPhoto.
	PhotoAddress(ctx context.Context, connectionID string, version int32, now time.Time) (Photo, error)
	// LegacyTokenExpired reports whether a legacy token has expired and was not revoked before
	// that.
	LegacyTokenExpired(ctx context.Context, hash credential.Digest, now time.Time) (bool, error)
	// MakeLink returns the id of the live durable link of the token's connection. If there is none, it creates one
	// with the given id. It returns "" if the token is no longer live or the consent doesn't share a CV. Every later
	// change to the connection sees the link.
	MakeLink(ctx context.Context, connectionID string, token credential.Digest, linkID string, now time.Time) (string, error)
}

// Config configures a Service. All fields are required.
type Config struct {
	Store   Store
	Records Records
	// Plans holds the budgets of the named plans, which are part of the records.
	Plans account.Plans
	Clock clock.Clock
	Log   *slog.Logger
}

// Service resolves credentials.
type Service struct {
	store   Store
	records Records
	plans   account.Plans
	clock   clock.Clock
	log     *slog.Logger

	// rest avoids Redis for a while after it has failed to respond, so that fills don't wait for it one after
	// another.
	rest *redisx.Rest
	// afterRead runs after the state is read from Postgres and before the record is written. Tests use it to revoke
	// credentials at that point.
	afterRead func()
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Records == nil || c.Plans == (account.Plans{}) || c.Clock == nil || c.Log == nil {
		return nil, errors.New("state: Store, Records, Plans, Clock and Log are required")
	}
	rest, err := redisx.NewRest(c.Clock)
	if err != nil {
		return nil, err
	}
	return &Service{
		store: c.Store, records: c.Records, plans: c.Plans, clock: c.Clock, log: c.Log, rest: rest, afterRead: func() {},
	}, nil
}

// Resolve reads from Postgres whether a credential is live. If it is, Resolve also writes its session record to
// Redis. Errors: ErrUnknown, ErrNotIssued, ErrConnectionGone, ErrExpired, Unavailable.
func (s *Service) Resolve(ctx context.Context, kind Kind, hash credential.Digest) (Record, error) {
	if !kind.known() {
		return Record{}, ErrUnknown
	}
	accountID, err := s.store.Route(ctx, kind, hash)
	if errors.Is(err, ErrUnknown) {
		return Record{}, ErrNotIssued
	}
	if err != nil {
		return Record{}, err
	}
	for range fillTries {
		lease := s.begin(ctx, accountID, hash)
		record, err := s.read(ctx, kind, hash)
		if err != nil || lease == nil {
			return record, err
		}
		s.afterRead()
		written, err := lease.Complete(ctx, record, s.clock.Now())
		if err != nil {
			// The record is still valid, because it was read after the request began.
			s.restFrom(ctx, err)
			return record, nil
		}
		if written {
			return record, nil
		}
	}
	// Redis revokes leases faster than they can be completed, for example because of repeated FLUSHALL commands.
	// Respond without writing a record.
	return s.read(ctx, kind, hash)
}

// read reads a credential's record. It starts over if the token or its consent changes before the token's link has
// been created.
func (s *Service) read(ctx context.Context, kind Kind, hash credential.Digest) (Record, error) {
	for range fillTries {
		now := s.clock.Now()
		state, err := s.store.Read(ctx, kind, hash, now)
		if err != nil {
			return Record{}, s.whyNotLive(ctx, kind, hash, now, err)
		}
		record, err := state.record(kind, s.plans)
		if err != nil || !record.lacksLink() {
			return record, err
		}
		// The durable link was revoked together with a refresh token, but the consent is still in
		// force.
		c := record.Connection
		if c.LinkID, err = s.store.MakeLink(ctx, c.ID, hash, NewLinkID(), now); err != nil || c.LinkID != "" {
			return record, err
		}
	}
	return Record{}, errChanging
}

// whyNotLive distinguishes an expired legacy token from an unknown one (behaviour: legacy#expired-tokens). It
// compares the expiry with the time of the first query, so the token cannot expire between the two queries.
func (s *Service) whyNotLive(ctx context.Context, kind Kind, hash credential.Digest, now time.Time, reason error) error {
	if kind != LegacyToken || !errors.Is(reason, ErrUnknown) {
		return reason
	}
	expired, err := s.store.LegacyTokenExpired(ctx, hash, now)
	switch {
	case err != nil:
		return err
	case expired:
		return ErrExpired
	}
	return ErrUnknown
}

// begin returns a lease, or nil if Redis cannot be used at the moment.
func (s *Service) begin(ctx context.Context, accountID string, hash credential.Digest) Lease {
	if !s.rest.Allow() {
		return nil
	}
	lease, err := s.records.BeginFill(ctx, accountID, hash)
	if err != nil {
		s.restFrom(ctx, err)
		return nil
	}
	s.rest.Succeeded()
	return lease
}

func (s *Service) restFrom(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the caller timed out, which is not a Redis failure
	}
	s.rest.Failed()
	s.log.DebugContext(ctx, "credentials are resolved without writing session records", "error", err)
}

// NewLinkID returns a new id for a durable link.
func NewLinkID() string { return id.New("lnk") }

// LinkHash returns the hash under which a durable link is resolved.
func LinkHash(linkID string) credential.Digest { return credential.Hash(linkID) }
