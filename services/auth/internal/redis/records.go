package redis

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/recordpb"
)

// Records are the session records that the edge reads.
type Records struct{ rdb redis.UniversalClient }

// NewRecords keeps records in rdb.
func NewRecords(rdb redis.UniversalClient) *Records { return &Records{rdb: rdb} }

// BeginFill implements livestate.Records.
func (r *Records) BeginFill(ctx context.Context, accountID string, hash livestate.Hash) (livestate.Lease, error) {
	ref := sessionrecord.Ref{AccountID: accountID, Hash: hash}
	lease, err := sessionrecord.BeginFill(ctx, r.rdb, ref)
	if err != nil {
		return nil, err
	}
	return fill{rdb: r.rdb, ref: ref, lease: lease}, nil
}

// Forget implements forget.Records.
func (r *Records) Forget(ctx context.Context, accountID string, hashes []livestate.Hash) error {
	return sessionrecord.Forget(ctx, r.rdb, accountID, hashes...)
}

// ForgetAccount implements forget.Records.
func (r *Records) ForgetAccount(ctx context.Context, accountID string) error {
	return sessionrecord.ForgetAccount(ctx, r.rdb, accountID)
}

type fill struct {
	rdb   redis.UniversalClient
	ref   sessionrecord.Ref
	lease sessionrecord.Lease
}

// Complete implements livestate.Lease.
func (f fill) Complete(ctx context.Context, record livestate.Record, now time.Time) (bool, error) {
	return sessionrecord.CompleteFill(ctx, f.rdb, f.ref, f.lease, recordpb.From(record), now)
}
