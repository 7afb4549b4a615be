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
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// CodeUnknown is the code for a credential that is unknown, expired, revoked or of a different kind. It is
// internal: each route replaces it with its own code.
const CodeUnknown = "CREDENTIAL_UNKNOWN"

// CodeNotIssued is used instead of CodeUnknown for a credential that was never issued. It is internal too.
const CodeNotIssued = "CREDENTIAL_NOT_ISSUED"

// CodeExpired is used instead of CodeUnknown for a legacy token that has expired without having been revoked
// (behaviour: legacy#expired-tokens). It is internal too.
const CodeExpired = "CREDENTIAL_EXPIRED"

const (
	// routeCount limits the memory of Verifier.routes to about 20 MiB.
	routeCount = 50_000
	// endedCount limits the memory of Verifier.ended to about 10 MiB. An entry takes a measured 201 bytes.
	endedCount = 50_000
	// expiredLife is the time for which an expired legacy token is cached (behaviour: legacy#expired-tokens).
	expiredLife = 5 * time.Second
)

// MayAsk is called before the auth service is asked about a credential that this replica has never seen
// live. If it returns an error, the request is rejected with that error. A nil MayAsk allows every call.
type MayAsk func() error

// Config holds the dependencies of a Verifier. All of them are required.
type Config struct {
	// Auth is called if Redis has no record.
	Auth authv1.CredentialServiceClient
	// Redis stores the session records.
	Redis redis.Scripter
	// Records verifies session records.
	Records *records.Opener
	Guard   *outage.Guard
	// Limits charges requests that have live credentials.
	Limits Limits
	// Clock determines whether records have expired.
	Clock clock.Clock
}

// Limits checks and charges the budget of an account. limits.Limiter implements it.
type Limits interface {
	Admit(ctx context.Context, ask limits.Ask) (limits.Decision, error)
}

// Verifier reports whether credentials are live.
type Verifier struct {
	Config
	tiers  limits.Tiers
	routes *lru.Cache[presented, route]
	// ended caches expired and revoked tokens and keys. They never become live again, so there is no need
	// to ask the auth service about them again.
	ended   *lru.Cache[presented, end]
	flights *flights
}

// end is the auth service's error for a dead credential. Only its code can still change, because an expired
// legacy token may be revoked.
type end struct {
	err *errs.Error
	// until is the time after which the auth service is called again, or zero if it never is.
	until time.Time
}

// route holds the account of a credential and the subject that its tier counts by. Neither ever changes. A
// route grants nothing: it is only used to build Redis keys. A credential presented as a different kind has
// no route.
type route struct{ accountID, subject string }

// New returns a Verifier. tiers holds the rate limit of each surface.
func New(c Config, tiers limits.Tiers) (*Verifier, error) {
	if c.Auth == nil || c.Redis == nil || c.Records == nil || c.Guard == nil || c.Limits == nil || c.Clock == nil {
		return nil, errors.New("credentials: a dependency is missing")
	}
	return &Verifier{
		Config: c, tiers: tiers, flights: newFlights(),
		routes: lru.New[presented, route](routeCount), ended: lru.New[presented, end](endedCount),
	}, nil
}

// Admit verifies a credential and charges the request to the account's budget and the surface's tier. If there
// is a record, this takes one round trip to Redis. If Admit returns no error, the decision has a record, which
// callers must not modify. Admit returns the errors of Verify, and UNAVAILABLE if the account's usage cannot be
// determined.
func (v *Verifier) Admit(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk MayAsk) (limits.Decision, error) {
	var before limits.Decision
	if r, known := v.routes.Get(presented{int32(kind), hash}); known {
		var err error
		if before, err = v.Limits.Admit(ctx, v.ask(kind, hash, r)); err != nil {
			return before, err
		}
		if v.live(kind, before.Record) {
			return before, nil
		}
	}
	// The auth service's response replaces the record, so Redis is not read again.
	record, err := v.fromAuth(ctx, kind, hash, mayAsk)
	if err != nil {
		return limits.Decision{}, err
	}
	if !v.live(kind, record) {
		return limits.Decision{}, errDead
	}
	ask := v.ask(kind, hash, routeOf(record))
	ask.Held, ask.WithoutRedis, ask.Charged = record, before.WithoutRedis, before.Charged
	return v.Limits.Admit(ctx, ask)
}

func (v *Verifier) ask(kind identityv1.CredentialKind, hash credential.Digest, r route) limits.Ask {
	tier := v.tiers.UserToken
	if kind == identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY {
		tier = v.tiers.APIKey
	}
	return limits.Ask{Ref: sessionrecord.Ref{AccountID: r.accountID, Hash: hash}, Tier: tier, Subject: r.subject}
}

// routeOf returns the route of a record. The subject of a token's tier is the connection. The subject of a
// key's tier is the app, because all keys of an app share a tier (behaviour: limits#surface-tiers).
func routeOf(record *authv1.SessionRecord) route {
	p := record.GetPrincipal()
	return route{accountID: p.GetAccountId(), subject: cmp.Or(p.GetConnectionId(), p.GetAppId())}
}

// Verify returns the record of a live credential without charging the request. Callers must not modify the
// record. It returns CREDENTIAL_UNKNOWN, CREDENTIAL_NOT_ISSUED or, for a legacy token, CREDENTIAL_EXPIRED,
// all of kind UNAUTHENTICATED. It returns NOT_FOUND with CONNECTION_NOT_FOUND if the connection is gone,
// UNAVAILABLE if neither Redis nor the auth service responds, and the error of mayAsk.
func (v *Verifier) Verify(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk MayAsk) (*authv1.SessionRecord, error) {
	record := v.fromRedis(ctx, kind, hash)
	if !v.live(kind, record) {
		var err error
		if record, err = v.fromAuth(ctx, kind, hash, mayAsk); err != nil {
			return nil, err
		}
	}
	if !v.live(kind, record) {
		if kind == identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN && record.GetPrincipal().GetKind() == kind {
			return nil, errExpired // it expired after the auth service responded
		}
		return nil, errDead
	}
	return record, nil
}

var (
	errDead    = errs.New(errs.Unauthenticated, CodeUnknown, "The credential is not live.")
	errExpired = errs.New(errs.Unauthenticated, CodeExpired, "The credential has expired.")
)

// fromRedis returns the record in Redis. It returns nil if there is no record, if the record is invalid, or if
// Redis does not respond. The caller then calls the auth service.
func (v *Verifier) fromRedis(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest) *authv1.SessionRecord {
	r, known := v.routes.Get(presented{int32(kind), hash})
	if !known {
		return nil
	}
	ref := sessionrecord.Ref{AccountID: r.accountID, Hash: hash}
	var stored *sessionrecord.Stored
	v.Guard.Ask(ctx, func() (err error) {
		stored, err = sessionrecord.Read(ctx, v.Redis, ref)
		return err
	})
	if stored == nil {
		return nil
	}
	return v.Records.Open(ctx, ref, stored)
}

func (v *Verifier) fromAuth(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk MayAsk) (*authv1.SessionRecord, error) {
	if e, ended := v.ended.Get(presented{int32(kind), hash}); ended && (e.until.IsZero() || v.Clock.Now().Before(e.until)) {
		return nil, e.err
	}
	if _, lived := v.routes.Get(presented{int32(kind), hash}); !lived && mayAsk != nil {
		if err := mayAsk(); err != nil {
			return nil, err
		}
	}
	record, err := v.flights.do(ctx, presented{int32(kind), hash}, func(ctx context.Context) (*authv1.SessionRecord, error) {
		resp, err := v.Auth.ResolveCredential(ctx, &authv1.ResolveCredentialRequest{Kind: kind, Hash: hash[:]})
		return resp.GetRecord(), err
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil, errs.New(errs.Unavailable, errs.CodeUnavailable, "The credential could not be checked in time.").WithCause(err)
	case errs.HasCode(err, CodeUnknown) && endsForGood(kind):
		v.ended.Put(presented{int32(kind), hash}, end{err: errDead})
		return nil, errDead
	case errs.HasCode(err, CodeExpired) && endsForGood(kind):
		v.ended.Put(presented{int32(kind), hash}, end{errExpired, v.Clock.Now().Add(expiredLife)})
		return nil, errExpired
	case err != nil:
		return nil, err
	}
	if record.GetPrincipal().GetKind() == kind {
		v.routes.Put(presented{int32(kind), hash}, routeOf(record))
	}
	return record, nil
}

// endsForGood reports whether a dead credential of this kind can never become live again.
func endsForGood(kind identityv1.CredentialKind) bool {
	return kind != identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
}

// live reports whether record is of the presented kind and has not expired by the gateway's clock.
func (v *Verifier) live(kind identityv1.CredentialKind, record *authv1.SessionRecord) bool {
	if record.GetPrincipal().GetKind() != kind {
		return false
	}
	t := record.GetExpiresAt()
	return t == nil || v.Clock.Now().Before(t.AsTime().Truncate(time.Microsecond))
}
