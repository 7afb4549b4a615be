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

// Look names session records of one account. The zero Look names none.
type Look struct {
	AccountID string
	Hashes    []credential.Digest
}

// Found are the records of a Look, in its order, nil for one that is not there or not
// believed. If Redis did not answer, there are none at all. Callers must not change them.
type Found []*authv1.SessionRecord

// Reading spends requests of surfaces as its Limiter does, and reads session records in the
// same round trip.
type Reading struct {
	limiter *Limiter
	redis   redisx.Pipelines
}

// NewReading makes a Reading on the Redis of the limiter.
func NewReading(l *Limiter, client redisx.Pipelines) (*Reading, error) {
	if l == nil || client == nil {
		return nil, errors.New("limits: a reading needs a limiter and a client")
	}
	return &Reading{limiter: l, redis: client}, nil
}

// Surface is that of the limiter. What it finds is to be used only if it returns no error.
func (r *Reading) Surface(ctx context.Context, t Tier, subject string, look Look) (Found, error) {
	var stored []*sessionrecord.Stored
	var err error
	if t.off() {
		r.limiter.Guard.Ask(ctx, func() (failed error) {
			pipe := r.redis.Pipeline()
			take := sessionrecord.ReadIn(ctx, pipe, look.AccountID, look.Hashes...)
			_, _ = pipe.Exec(ctx) // each command holds its error
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

// ask spends the request, and then reads. If only the reading fails, the request is spent
// all the same: nobody can tell which of the two a server that went away has done.
func (r *Reading) ask(ctx context.Context, t Tier, subject string, look Look) (wait time.Duration, now int64, stored []*sessionrecord.Stored, err error) {
	var take func() ([]*sessionrecord.Stored, error)
	spent := r.limiter.scripts.surface.RunWith(ctx, r.redis, func(pipe redis.Pipeliner) {
		take = sessionrecord.ReadIn(ctx, pipe, look.AccountID, look.Hashes...)
	}, []string{surfaceKey(subject)}, append(t.args(), true, 0)...)
	if wait, now, err = readSurface(spent.Int64Slice()); err != nil {
		return 0, 0, nil, err
	}
	stored, err = take()
	return wait, now, stored, err
}
