package limits

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Lookup lists session records of one account to read. The zero Lookup lists none.
type Lookup struct {
	AccountID string
	Hashes    []credential.Digest
}

// Found holds the records of a Lookup, in its order. Missing and invalid records are nil. Found is empty if
// Redis did not respond. Callers must not modify the records.
type Found []*authv1.SessionRecord

// Reading charges requests to surfaces like its Limiter, but also reads session records in the same
// round trip.
type Reading struct {
	limiter *Limiter
	redis   redisx.Pipelines
}

// NewReading returns a Reading. client must be connected to the limiter's Redis.
func NewReading(l *Limiter, client redisx.Pipelines) (*Reading, error) {
	if l == nil || client == nil {
		return nil, errors.New("limits: a Reading needs a Limiter and a client")
	}
	return &Reading{limiter: l, redis: client}, nil
}

// Surface is like Limiter.Surface, but also reads the records of look. Use Found only if there is no error.
func (r *Reading) Surface(ctx context.Context, t Tier, subject string, look Lookup) (Found, error) {
	var stored []*sessionrecord.Stored
	var err error
	if t.off() {
		r.limiter.Guard.Ask(ctx, func() (failed error) {
			pipe := r.redis.Pipeline()
			take := sessionrecord.ReadIn(ctx, pipe, look.AccountID, look.Hashes...)
			_, _ = pipe.Exec(ctx) // take returns the error
			stored, failed = take()
			return failed
		})
	} else {
		err = r.limiter.surfaceBy(ctx, t, subject, true, 0, func() (wait time.Duration, now int64, failed error) {
			wait, now, stored, failed = r.ask(ctx, t, subject, look)
			return wait, now, failed
		})
	}
	if err != nil || stored == nil {
		return nil, err
	}
	found := make(Found, len(stored))
	for i, s := range stored {
		if s != nil {
			found[i] = r.limiter.Records.Open(ctx, sessionrecord.Ref{AccountID: look.AccountID, Hash: look.Hashes[i]}, s)
		}
	}
	return found, nil
}

// ask charges the request and then reads the records. If only the read fails, the request stays charged,
// because if the connection is lost, it is unknown which of the two commands has run.
func (r *Reading) ask(ctx context.Context, t Tier, subject string, look Lookup) (wait time.Duration, now int64, stored []*sessionrecord.Stored, err error) {
	var take func() ([]*sessionrecord.Stored, error)
	used := r.limiter.scripts.surface.RunWith(ctx, r.redis, func(pipe redis.Pipeliner) {
		take = sessionrecord.ReadIn(ctx, pipe, look.AccountID, look.Hashes...)
	}, []string{surfaceKey(subject)}, append(t.args(), true, 0)...)
	if wait, now, err = readSurface(used.Int64Slice()); err != nil {
		return 0, 0, nil, err
	}
	stored, err = take()
	return wait, now, stored, err
}
