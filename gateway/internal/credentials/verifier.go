package credentials

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/sessionrecord"
)

// CodeUnknown is the reason for a credential that is unknown, expired, revoked or
// of another kind. It does not go out; each route says it in its own words.
const CodeUnknown = "CREDENTIAL_UNKNOWN"

// routeCount bounds the cache: about 15 MiB when full.
const routeCount = 50_000

// Config is what a Verifier needs; all of it is required.
type Config struct {
	// Auth is asked when Redis has no record.
	Auth authv1.CredentialServiceClient
	// Redis holds the session records.
	Redis redis.Scripter
	// Clock tells when a record's credential has expired.
	Clock clock.Clock
	// Log takes faults of Redis.
	Log *slog.Logger
}

// Verifier says whether credentials are live.
type Verifier struct {
	Config
	routes  *routes
	redisUp breaker
	flights *flights
}

// New makes a Verifier.
func New(c Config) (*Verifier, error) {
	if c.Auth == nil || c.Redis == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("credentials: a dependency is missing")
	}
	return &Verifier{Config: c, routes: newRoutes(routeCount), redisUp: breaker{clock: c.Clock}, flights: newFlights()}, nil
}

// Verify gives the record of a live credential; callers must not change it.
// Errors: UNAUTHENTICATED CREDENTIAL_UNKNOWN; NOT_FOUND CONNECTION_NOT_FOUND;
// UNAVAILABLE when neither Redis nor auth can tell, which says nothing about the
// credential.
func (v *Verifier) Verify(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (*authv1.SessionRecord, error) {
	record := v.fromRedis(ctx, hash)
	if record == nil || v.expired(record) {
		var err error
		if record, err = v.fromAuth(ctx, kind, hash); err != nil {
			return nil, err
		}
	}
	if record.GetPrincipal().GetKind() != kind || v.expired(record) {
		return nil, errs.New(errs.Unauthenticated, CodeUnknown, "The credential is not live.")
	}
	return record, nil
}

// fromRedis gives the record in Redis, nil when there is none or Redis cannot be
// asked: both mean "ask auth".
func (v *Verifier) fromRedis(ctx context.Context, hash sessionrecord.Hash) *authv1.SessionRecord {
	accountID, known := v.routes.get(hash)
	if !known || !v.redisUp.allow() {
		return nil
	}
	record, err := sessionrecord.Read(ctx, v.Redis, sessionrecord.Ref{AccountID: accountID, Hash: hash})
	switch {
	case err == nil:
		v.redisUp.succeeded()
	case ctx.Err() == nil: // otherwise it is the client that went away
		v.redisUp.failed()
		v.Log.WarnContext(ctx, "session record not read; auth answers instead", "error", err)
	}
	return record
}

func (v *Verifier) fromAuth(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (*authv1.SessionRecord, error) {
	record, err := v.flights.do(ctx, flightKey{int32(kind), hash}, func(ctx context.Context) (*authv1.SessionRecord, error) {
		resp, err := v.Auth.ResolveCredential(ctx, &authv1.ResolveCredentialRequest{Kind: kind, Hash: hash[:]})
		return resp.GetRecord(), err
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The credential could not be checked in time.").WithCause(err)
	case err != nil:
		return nil, err
	}
	v.routes.put(hash, record.GetPrincipal().GetAccountId())
	return record, nil
}

func (v *Verifier) expired(record *authv1.SessionRecord) bool {
	t := record.GetExpiresAt()
	return t != nil && !v.Clock.Now().Before(t.AsTime().Truncate(time.Microsecond))
}
