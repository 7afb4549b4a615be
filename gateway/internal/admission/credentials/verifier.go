package credentials

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/lru"
	"vitae.internal/gateway/internal/admission/outage"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// CodeUnknown is the reason for a credential that is unknown, expired, revoked or
// of another kind. It does not go out; each route says it in its own words.
const CodeUnknown = "CREDENTIAL_UNKNOWN"

// CodeExpired is the reason, instead, for a token of the older interface that has
// only expired (decision 44).
const CodeExpired = "CREDENTIAL_EXPIRED"

// routeCount bounds the cache: about 20 MiB when full.
const routeCount = 50_000

// Config is what a Verifier needs; all of it is required.
type Config struct {
	// Auth is asked when Redis has no record.
	Auth authv1.CredentialServiceClient
	// Redis holds the session records.
	Redis redis.Scripter
	// Guard stands before Redis.
	Guard *outage.Guard
	// Limits decide on what a live credential asks for.
	Limits Limits
	// Clock tells when a record's credential has expired.
	Clock clock.Clock
}

// Limits hold the limits; limits.Limiter does.
type Limits interface {
	Admit(ctx context.Context, ask limits.Ask) (limits.Decision, error)
}

// Verifier says whether credentials are live.
type Verifier struct {
	Config
	tiers   limits.Tiers
	routes  *lru.Cache[presented, route]
	flights *flights
}

// route is to whom a credential belongs, which never changes. It grants nothing: it
// names the keys in Redis. What is presented as another kind than it is has none.
type route struct{ accountID, subject string }

// New makes a Verifier whose credentials spend of the tiers of their surfaces.
func New(c Config, tiers limits.Tiers) (*Verifier, error) {
	if c.Auth == nil || c.Redis == nil || c.Guard == nil || c.Limits == nil || c.Clock == nil {
		return nil, errors.New("credentials: a dependency is missing")
	}
	return &Verifier{Config: c, tiers: tiers, routes: lru.New[presented, route](routeCount), flights: newFlights()}, nil
}

// Admit verifies a credential and spends of its account's budget and its surface's
// tier, in one round trip to Redis when there is a record. The decision always has a
// record, which callers must not change. Errors: those of Verify; UNAVAILABLE when
// what is left of the budget cannot be told.
func (v *Verifier) Admit(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (limits.Decision, error) {
	var alone bool
	if r, known := v.routes.Get(presented{int32(kind), hash}); known {
		d, err := v.Limits.Admit(ctx, v.ask(kind, hash, r))
		if err != nil {
			return d, err
		}
		if d.Outcome != limits.Missing && v.live(kind, d.Record) {
			return d, nil
		}
		alone = d.Alone
	}
	// What auth says now is as true as a record, so nothing but it is needed.
	record, err := v.fromAuth(ctx, kind, hash)
	if err != nil {
		return limits.Decision{}, err
	}
	if !v.live(kind, record) {
		return limits.Decision{}, errDead
	}
	ask := v.ask(kind, hash, routeOf(record))
	ask.Held, ask.Alone = record, alone
	return v.Limits.Admit(ctx, ask)
}

func (v *Verifier) ask(kind identityv1.CredentialKind, hash sessionrecord.Hash, r route) limits.Ask {
	tier := v.tiers.UserToken
	if kind == identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY {
		tier = v.tiers.APIKey
	}
	return limits.Ask{Ref: sessionrecord.Ref{AccountID: r.accountID, Hash: hash}, Tier: tier, Subject: r.subject}
}

// routeOf names the connection of a token and the app of a key as whose tier is
// spent: all keys of an app share one (spec: Per-surface tiers).
func routeOf(record *authv1.SessionRecord) route {
	p := record.GetPrincipal()
	return route{accountID: p.GetAccountId(), subject: cmp.Or(p.GetConnectionId(), p.GetAppId())}
}

// Verify gives the record of a live credential, and spends nothing; callers must not
// change the record. Errors: UNAUTHENTICATED CREDENTIAL_UNKNOWN, for a token of the
// older interface CREDENTIAL_EXPIRED too; NOT_FOUND
// CONNECTION_NOT_FOUND; UNAVAILABLE when neither Redis nor auth can tell, which says
// nothing about the credential.
func (v *Verifier) Verify(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (*authv1.SessionRecord, error) {
	record := v.fromRedis(ctx, kind, hash)
	if record == nil || !v.live(kind, record) {
		var err error
		if record, err = v.fromAuth(ctx, kind, hash); err != nil {
			return nil, err
		}
	}
	if !v.live(kind, record) {
		if kind == identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN && record.GetPrincipal().GetKind() == kind {
			return nil, errExpired // since auth has looked
		}
		return nil, errDead
	}
	return record, nil
}

var (
	errDead    = errs.New(errs.Unauthenticated, CodeUnknown, "The credential is not live.")
	errExpired = errs.New(errs.Unauthenticated, CodeExpired, "The credential has expired.")
)

// fromRedis gives the record in Redis, nil when there is none or Redis cannot be
// asked: both mean "ask auth".
func (v *Verifier) fromRedis(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (record *authv1.SessionRecord) {
	r, known := v.routes.Get(presented{int32(kind), hash})
	if !known {
		return nil
	}
	v.Guard.Ask(ctx, func() (err error) {
		record, err = sessionrecord.Read(ctx, v.Redis, sessionrecord.Ref{AccountID: r.accountID, Hash: hash})
		return err
	})
	return record
}

func (v *Verifier) fromAuth(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (*authv1.SessionRecord, error) {
	record, err := v.flights.do(ctx, presented{int32(kind), hash}, func(ctx context.Context) (*authv1.SessionRecord, error) {
		resp, err := v.Auth.ResolveCredential(ctx, &authv1.ResolveCredentialRequest{Kind: kind, Hash: hash[:]})
		return resp.GetRecord(), err
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The credential could not be checked in time.").WithCause(err)
	case err != nil:
		return nil, err
	}
	if record.GetPrincipal().GetKind() == kind {
		v.routes.Put(presented{int32(kind), hash}, routeOf(record))
	}
	return record, nil
}

// live reports whether a record is of the kind that was presented, and not past its
// credential's end by the edge's own clock.
func (v *Verifier) live(kind identityv1.CredentialKind, record *authv1.SessionRecord) bool {
	if record.GetPrincipal().GetKind() != kind {
		return false
	}
	t := record.GetExpiresAt()
	return t == nil || v.Clock.Now().Before(t.AsTime().Truncate(time.Microsecond))
}
