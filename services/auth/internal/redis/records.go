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
	"vitae.internal/services/auth/internal/credentialstate"
)

// RecordsConfig is what Records are made of. All fields but Redis are required.
type RecordsConfig struct {
	Client redis.UniversalClient
	// Redis is what Client was opened with.
	Redis redisx.Config
	// Seal marks what auth has written.
	Seal *sessionrecord.Seal
	// Encode makes the message of a record. It is the conversion that the gRPC answer
	// uses too, so that Redis and an answer never tell the edge different things.
	Encode func(credentialstate.Record) *authv1.SessionRecord
	Clock  clock.Clock
	Log    *slog.Logger
}

// Records are the session records that the edge reads.
type Records struct {
	cfg      RecordsConfig
	replicas *redisx.Replicas
	// unconfirmed tells operators that a replica does not confirm deletions.
	unconfirmed *redisx.Outage
}

// NewRecords makes Records.
func NewRecords(c RecordsConfig) (*Records, error) {
	if c.Client == nil || c.Seal == nil || c.Encode == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("redis: records need Client, Seal, Encode, Clock and Log")
	}
	r := &Records{cfg: c}
	var err error
	// It remembers for how long Redis does, which goes by real time.
	if r.replicas, err = redisx.NewReplicas(redisx.ReplicasConfig{Client: c.Client, Redis: c.Redis, Clock: clock.System{}}); err != nil {
		return nil, err
	}
	r.unconfirmed, err = redisx.NewOutage(redisx.OutageConfig{
		Clock: c.Clock, Log: c.Log,
		Began: "a replica of redis does not confirm: a revocation is answered when every record has died",
		Ended: "every replica of redis confirms again",
	})
	return r, err
}

// Close ends what the records hold beside their client.
func (r *Records) Close() error { return r.replicas.Close() }

// BeginFill implements credentialstate.Records.
func (r *Records) BeginFill(ctx context.Context, accountID string, hash credential.Digest) (credentialstate.Lease, error) {
	ref := sessionrecord.Ref{AccountID: accountID, Hash: hash}
	lease, err := sessionrecord.BeginFill(ctx, r.cfg.Client, ref)
	if err != nil {
		return nil, err
	}
	return fill{RecordsConfig: r.cfg, ref: ref, lease: lease}, nil
}

// Forget implements revocation.Records.
func (r *Records) Forget(ctx context.Context, accountID string, hashes []credential.Digest) error {
	return r.observe(ctx, sessionrecord.Forget(ctx, r.replicas, accountID, hashes...))
}

// ForgetAccount implements revocation.Records.
func (r *Records) ForgetAccount(ctx context.Context, accountID string) error {
	return r.observe(ctx, sessionrecord.ForgetAccount(ctx, r.replicas, accountID))
}

// observe takes the outcome of a deletion. A server that cannot be reached is the matter
// of OutageHook.
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

// Complete implements credentialstate.Lease.
func (f fill) Complete(ctx context.Context, record credentialstate.Record, now time.Time) (bool, error) {
	return sessionrecord.CompleteFill(ctx, f.Client, f.Seal, f.ref, f.lease, f.Encode(record), now)
}
