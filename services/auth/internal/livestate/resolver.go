package livestate

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/scope"
)

const (
	// fillTries bounds how often a fill starts over because something was revoked
	// beside it.
	fillTries = 4
	// redisRest is how long fills leave Redis alone after it failed, so that a
	// frozen Redis does not cost every resolve its time-out.
	redisRest = time.Second
)

// Errors of Resolve.
var (
	// ErrUnknown is the answer for everything that is not live, whatever the reason.
	ErrUnknown = errs.New(errs.Unauthenticated, "CREDENTIAL_UNKNOWN", "The credential is not valid.")
	// ErrConnectionGone is for a live token whose connection row is gone (decision 18).
	ErrConnectionGone = errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "The connection behind the token is gone.")
	// ErrExpired is for a token of the older interface that nothing has ended but its
	// age (decision 44).
	ErrExpired  = errs.New(errs.Unauthenticated, "CREDENTIAL_EXPIRED", "The token has expired.")
	errChanging = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The credential keeps changing.").WithRetryAfter(time.Second)
)

// Store is the truth about credentials.
type Store interface {
	// Route gives the account that a credential belongs to, live or not; ErrUnknown.
	Route(ctx context.Context, kind Kind, hash Hash) (accountID string, err error)
	// Read gives the record of a live credential; ErrUnknown, ErrConnectionGone,
	// ErrExpired.
	Read(ctx context.Context, kind Kind, hash Hash, now time.Time) (Record, error)
	// MakeLink gives the id of the connection's live durable link to a token of it.
	// It makes one with the given id if there is none. It gives an empty id if the
	// token is not live any more or the consent does not share a CV, as everyone sees
	// it who ends or narrows the connection from then on.
	MakeLink(ctx context.Context, connectionID string, token Hash, linkID string, now time.Time) (string, error)
}

// Resolver resolves credentials.
type Resolver struct {
	store   Store
	records Records
	clock   clock.Clock
	log     *slog.Logger

	redisBackAt atomic.Int64 // Unix nanoseconds
	// afterRead runs between the authoritative read and the write of the record. It
	// lets tests put a revoke exactly there.
	afterRead func()
}

// NewResolver makes a resolver.
func NewResolver(store Store, records Records, c clock.Clock, log *slog.Logger) *Resolver {
	return &Resolver{store: store, records: records, clock: c, log: log, afterRead: func() {}}
}

// Resolve says whether a credential is live, from Postgres, and leaves a session
// record of it in Redis. Errors: ErrUnknown, ErrConnectionGone, ErrExpired,
// Unavailable.
func (r *Resolver) Resolve(ctx context.Context, kind Kind, hash Hash) (Record, error) {
	accountID, err := r.store.Route(ctx, kind, hash)
	if err != nil {
		return Record{}, err
	}
	for range fillTries {
		lease := r.begin(ctx, accountID, hash)
		record, err := r.read(ctx, kind, hash)
		if err != nil || lease == nil {
			return record, err
		}
		r.afterRead()
		written, err := lease.Complete(ctx, record, r.clock.Now())
		if err != nil {
			// What was read was true when it was read, after the request began.
			r.restFrom(ctx, err)
			return record, nil
		}
		if written {
			return record, nil
		}
	}
	// Redis forgets faster than it is filled, as under one FLUSHALL after another.
	// What is read without leaving a record is just as true, and costs only speed.
	return r.read(ctx, kind, hash)
}

// read starts over when the token or its consent changed before it had its link.
func (r *Resolver) read(ctx context.Context, kind Kind, hash Hash) (Record, error) {
	for range fillTries {
		now := r.clock.Now()
		record, err := r.store.Read(ctx, kind, hash, now)
		if err != nil {
			return Record{}, err
		}
		c := record.Connection
		if c == nil {
			return record, nil
		}
		if !c.Scopes.Has(scope.CVRead) {
			c.CvID = ""
		}
		if !record.Scopes.SharesCV() {
			c.LinkID = ""
			return record, nil
		}
		if c.LinkID != "" {
			return record, nil
		}
		// The link ended with a refresh token, but the consent behind it lives.
		if c.LinkID, err = r.store.MakeLink(ctx, c.ID, hash, NewLinkID(), now); err != nil || c.LinkID != "" {
			return record, err
		}
	}
	return Record{}, errChanging
}

// begin gives nil when Redis cannot be used now.
func (r *Resolver) begin(ctx context.Context, accountID string, hash Hash) Lease {
	if r.clock.Now().UnixNano() < r.redisBackAt.Load() {
		return nil
	}
	lease, err := r.records.BeginFill(ctx, accountID, hash)
	if err != nil {
		r.restFrom(ctx, err)
		return nil
	}
	return lease
}

func (r *Resolver) restFrom(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the caller ran out of time, which says nothing about Redis
	}
	r.redisBackAt.Store(r.clock.Now().Add(redisRest).UnixNano())
	r.log.DebugContext(ctx, "credentials are resolved without leaving records", "error", err)
}

// NewLinkID makes the id of a durable link.
func NewLinkID() string { return id.New("lnk") }

// LinkHash is what a durable link is resolved by.
func LinkHash(linkID string) Hash { return credential.Hash(linkID) }
