package redis

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/credentialstate"
)

// RecordsConfig is what Records are made of. All fields are required.
type RecordsConfig struct {
	Client redis.UniversalClient
	// Encode makes the message of a record. It is the conversion that the gRPC answer
	// uses too, so that Redis and an answer never tell the edge different things.
	Encode func(credentialstate.Record) *authv1.SessionRecord
}

// Records are the session records that the edge reads.
type Records struct{ cfg RecordsConfig }

// NewRecords makes Records.
func NewRecords(c RecordsConfig) (*Records, error) {
	if c.Client == nil || c.Encode == nil {
		return nil, errors.New("redis: records need Client and Encode")
	}
	return &Records{cfg: c}, nil
}

// BeginFill implements credentialstate.Records.
func (r *Records) BeginFill(ctx context.Context, accountID string, hash credentialstate.Hash) (credentialstate.Lease, error) {
	ref := sessionrecord.Ref{AccountID: accountID, Hash: hash}
	lease, err := sessionrecord.BeginFill(ctx, r.cfg.Client, ref)
	if err != nil {
		return nil, err
	}
	return fill{RecordsConfig: r.cfg, ref: ref, lease: lease}, nil
}

// Forget implements revocation.Records.
func (r *Records) Forget(ctx context.Context, accountID string, hashes []credentialstate.Hash) error {
	return sessionrecord.Forget(ctx, r.cfg.Client, accountID, hashes...)
}

// ForgetAccount implements revocation.Records.
func (r *Records) ForgetAccount(ctx context.Context, accountID string) error {
	return sessionrecord.ForgetAccount(ctx, r.cfg.Client, accountID)
}

type fill struct {
	RecordsConfig
	ref   sessionrecord.Ref
	lease sessionrecord.Lease
}

// Complete implements credentialstate.Lease.
func (f fill) Complete(ctx context.Context, record credentialstate.Record, now time.Time) (bool, error) {
	return sessionrecord.CompleteFill(ctx, f.Client, f.ref, f.lease, f.Encode(record), now)
}
