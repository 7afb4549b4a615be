package redis

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/credentials/state"
)

// RecordsConfig configures Records. All fields except Redis are required.
type RecordsConfig struct {
	Client redis.UniversalClient
	// Redis is the configuration used to open Client.
	Redis redisx.Config
	// Seal authenticates records as written by this service.
	Seal *sessionrecord.Seal
	// Encode converts a record to the message that is stored. The gRPC API uses the same conversion, so the gateway
	// has only one format to read.
	Encode func(state.Record) *authv1.SessionRecord
	Clock  clock.Clock
	Log    *slog.Logger
}

// Records stores the session records that gateways read.
type Records struct {
	cfg      RecordsConfig
	replicas *redisx.Replicas
	// unconfirmed logs outages in which a replica doesn't confirm deletions.
	unconfirmed *redisx.Outage
}

// NewRecords returns Records, or an error if a required field is missing.
func NewRecords(c RecordsConfig) (*Records, error) {
	if c.Client == nil || c.Seal == nil || c.Encode == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("redis: records need Client, Seal, Encode, Clock and Log")
	}
	r := &Records{cfg: c}
	var err error
	// Replicas expire according to the Redis server's clock, so they need the real clock.
	if r.replicas, err = redisx.NewReplicas(redisx.ReplicasConfig{Client: c.Client, Redis: c.Redis, Clock: clock.System{}}); err != nil {
		return nil, err
	}
	r.unconfirmed, err = redisx.NewOutage(redisx.OutageConfig{
		Clock: c.Clock, Log: c.Log,
		Began: "a replica of redis does not confirm: revocations return only after all records have expired",
		Ended: "every replica of redis confirms again",
	})
	return r, err
}

// Close releases the connections to the replicas. It doesn't close the client.
func (r *Records) Close() error { return r.replicas.Close() }

// BeginFill leases a record. A concurrent deletion revokes the lease, which cancels the write.
func (r *Records) BeginFill(ctx context.Context, accountID string, hash credential.Digest) (state.Lease, error) {
	ref := sessionrecord.Ref{AccountID: accountID, Hash: hash}
	lease, err := sessionrecord.BeginFill(ctx, r.cfg.Client, ref)
	if err != nil {
		return nil, err
	}
	return fill{RecordsConfig: r.cfg, ref: ref, lease: lease}, nil
}

// Forget deletes the records of the given credentials.
func (r *Records) Forget(ctx context.Context, accountID string, hashes []credential.Digest) error {
	return r.observe(ctx, sessionrecord.Forget(ctx, r.replicas, accountID, hashes...))
}

// ForgetAccount deletes all records of an account.
func (r *Records) ForgetAccount(ctx context.Context, accountID string) error {
	return r.observe(ctx, sessionrecord.ForgetAccount(ctx, r.replicas, accountID))
}

// observe records the result of a deletion. It ignores failures to reach the server, which OutageHook logs.
func (r *Records) observe(ctx context.Context, err error) error {
	switch {
	case err == nil:
		r.unconfirmed.Succeeded(ctx)
	case errors.Is(err, redisx.ErrUnconfirmed) && ctx.Err() == nil:
		r.unconfirmed.Failed(ctx, err)
	}
	return err
}

type fill struct {
	RecordsConfig
	ref   sessionrecord.Ref
	lease sessionrecord.Lease
}

// Complete writes the record. If the lease has been revoked, it writes nothing and returns false.
func (f fill) Complete(ctx context.Context, record state.Record, now time.Time) (bool, error) {
	return sessionrecord.CompleteFill(ctx, f.Client, f.Seal, f.ref, f.lease, f.Encode(record), now)
}
