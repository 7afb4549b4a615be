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

// CodeUnknown is the code for a credential that is unknown, expired, revoked or of
// another kind. It is internal: each route replaces it with its own code.
const CodeUnknown = "CREDENTIAL_UNKNOWN"

// CodeNotIssued replaces CodeUnknown for a credential that was never issued. It is
// internal too.
const CodeNotIssued = "CREDENTIAL_NOT_ISSUED"

// CodeExpired replaces CodeUnknown for a token of the legacy interface that has expired and
// was not revoked (behaviour: legacy#expired-tokens). It is internal too.
const CodeExpired = "CREDENTIAL_EXPIRED"

const (
	// routeCount limits the memory of Verifier.routes to about 20 MiB.
	routeCount = 50_000
	// endedCount limits the memory of Verifier.ended to about 10 MiB, at a measured 201
	// bytes for each entry.
	endedCount = 50_000
	// expiredLife is how long an expired token of the legacy interface is cached
	// (behaviour: legacy#expired-tokens).
	expiredLife = 5 * time.Second
)

// MayAsk is called before auth is asked about a credential that this replica has never
// seen live. Its error refuses the request. A nil MayAsk always allows the call.
type MayAsk func() error

// Config holds the dependencies of a Verifier. All of them are required.
type Config struct {
	// Auth is asked if Redis has no record.
	Auth authv1.CredentialServiceClient
	// Redis holds the session records.
	Redis redis.Scripter
	// Records verifies them.
	Records *records.Opener
	Guard   *outage.Guard
	// Limits charges the requests of live credentials.
	Limits Limits
	// Clock is used to check the expiry of records.
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
	// ended has expired and revoked tokens and keys. They never become live again, so auth
	// is not asked about them twice.
	ended   *lru.Cache[presented, end]
	flights *flights
}

// end is auth's error for an ended credential. Only the code can still change: an expired
// token of the legacy interface may be revoked.
type end struct {
	err *errs.Error
	// until is when auth is asked again; zero for never.
	until time.Time
}

// route is the account of a credential and the subject of its tier. Neither ever changes. It
// grants nothing: it is only used to build keys in Redis. A credential that is presented as
// another kind has no route.
type route struct{ accountID, subject string }

// New returns a Verifier. tiers are the limits of the surfaces.
func New(c Config, tiers limits.Tiers) (*Verifier, error) {
	if c.Auth == nil || c.Redis == nil || c.Records == nil || c.Guard == nil || c.Limits == nil || c.Clock == nil {
		return nil, errors.New("credentials: a dependency is missing")
	}
	return &Verifier{
		Config: c, tiers: tiers, flights: newFlights(),
		routes: lru.New[presented, route](routeCount), ended: lru.New[presented, end](endedCount),
	}, nil
}

// Admit verifies a credential and charges a request to its account's budget and its
// surface's tier, in one round trip to Redis if there is a record. A decision without an
// error always has a record, which callers must not change. Errors: those of Verify;
// UNAVAILABLE if the account's usage cannot be determined.
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
	// auth's answer replaces the record, so Redis is not read again.
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

// routeOf returns the subject of the tier: the connection for a token, the app for a
// key, because all keys of an app share a tier (behaviour: limits#surface-tiers).
func routeOf(record *authv1.SessionRecord) route {
	p := record.GetPrincipal()
	return route{accountID: p.GetAccountId(), subject: cmp.Or(p.GetConnectionId(), p.GetAppId())}
}

// Verify returns the record of a live credential and charges nothing. Callers must not
// change the record. Errors: UNAUTHENTICATED CREDENTIAL_UNKNOWN or CREDENTIAL_NOT_ISSUED,
// for a token of the legacy interface also CREDENTIAL_EXPIRED; NOT_FOUND
// CONNECTION_NOT_FOUND; UNAVAILABLE if neither Redis nor auth answers; the error of mayAsk.
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
			return nil, errExpired // it expired after auth answered
		}
		return nil, errDead
	}
	return record, nil
}

var (
	errDead    = errs.New(errs.Unauthenticated, CodeUnknown, "The credential is not live.")
	errExpired = errs.New(errs.Unauthenticated, CodeExpired, "The credential has expired.")
)

// fromRedis returns the record in Redis; nil if there is none, if it is invalid, or if Redis
// does not answer. Then auth is asked.
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

// endsForGood reports whether a dead credential of the kind can never become live again.
func endsForGood(kind identityv1.CredentialKind) bool {
	return kind != identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
}

// live reports whether there is a record of the presented kind that has not expired by the
// gateway's clock.
func (v *Verifier) live(kind identityv1.CredentialKind, record *authv1.SessionRecord) bool {
	if record.GetPrincipal().GetKind() != kind {
		return false
	}
	t := record.GetExpiresAt()
	return t == nil || v.Clock.Now().Before(t.AsTime().Truncate(time.Microsecond))
}
