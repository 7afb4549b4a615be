package redis

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/clock"
)

// sameOutage is how long after it has ended an outage that begins again is no
// news: a server that comes and goes is one fault.
const sameOutage = 30 * time.Second

// Outage tells operators once that Redis does not do its work, and once that it
// does again, whoever needed it. It is a hook of the client, so that no user of
// Redis has to report for itself.
type Outage struct {
	clock clock.Clock
	log   *slog.Logger

	mu    sync.Mutex
	out   bool
	since time.Time // when the outage that was reported began; zero for none
	ended time.Time // when the last one ended
}

var _ redis.Hook = (*Outage)(nil)

// NewOutage makes the hook of one client.
func NewOutage(c clock.Clock, log *slog.Logger) *Outage { return &Outage{clock: c, log: log} }

// DialHook implements redis.Hook. A failed dial is the failure of a command.
func (o *Outage) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (o *Outage) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		o.saw(ctx, err)
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
func (o *Outage) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		o.saw(ctx, err)
		return err
	}
}

// saw takes the outcome of a command. A caller that ran out of time says nothing of
// Redis, and neither does a plain "ERR", such as an old server gives to a greeting
// that it does not know. Other refusals (READONLY, LOADING, CLUSTERDOWN, …) are those
// of a server that does not do its work.
func (o *Outage) saw(ctx context.Context, err error) {
	var said redis.Error
	switch {
	case err == nil, errors.Is(err, redis.Nil), redis.HasErrorPrefix(err, "NOSCRIPT"):
		o.ends(ctx)
	case ctx.Err() != nil, errors.As(err, &said) && strings.HasPrefix(said.Error(), "ERR "):
	default:
		o.begins(ctx, err)
	}
}

func (o *Outage) begins(ctx context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.out {
		return
	}
	o.out = true
	now := o.clock.Now()
	if !o.since.IsZero() || now.Before(o.ended.Add(sameOutage)) {
		return
	}
	o.since = now
	o.log.ErrorContext(ctx, "redis is out of reach: credentials are checked in Postgres, and a revocation is answered when every record has died", "error", err)
}

func (o *Outage) ends(ctx context.Context) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.out {
		return
	}
	now := o.clock.Now()
	o.out, o.ended = false, now
	if !o.since.IsZero() {
		o.log.InfoContext(ctx, "redis is in reach again", "after_s", now.Sub(o.since).Seconds())
		o.since = time.Time{}
	}
}
