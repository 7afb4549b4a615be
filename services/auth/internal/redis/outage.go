package redis

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
)

// OutageHook reports outages of Redis to operators. It is a hook of the client, so that
// the users of Redis do not have to report for themselves.
type OutageHook struct{ outage *redisx.Outage }

var _ redis.Hook = (*OutageHook)(nil)

// NewOutageHook makes the hook of one client.
func NewOutageHook(c clock.Clock, log *slog.Logger) (*OutageHook, error) {
	outage, err := redisx.NewOutage(redisx.OutageConfig{
		Clock: c, Log: log,
		Began: "redis is out of reach: credentials are checked in Postgres, and a revocation is answered when every record has died",
		Ended: "redis is in reach again",
	})
	if err != nil {
		return nil, err
	}
	return &OutageHook{outage: outage}, nil
}

// DialHook implements redis.Hook. It does nothing, because a failed dial is also the
// failure of the command that needs the connection.
func (h *OutageHook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (h *OutageHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		h.observe(ctx, err)
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
func (h *OutageHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		h.observe(ctx, err)
		return err
	}
}

// observe takes the outcome of a command. Two failures say nothing about Redis: that of
// a caller that ran out of time, and a plain "ERR", which an old server answers to a
// greeting that it does not know. Other refusals (READONLY, LOADING, CLUSTERDOWN, …)
// come from a server that does not do its work.
func (h *OutageHook) observe(ctx context.Context, err error) {
	var refusal redis.Error
	switch {
	case err == nil, errors.Is(err, redis.Nil), redis.HasErrorPrefix(err, "NOSCRIPT"):
		h.outage.Succeeded(ctx)
	case ctx.Err() != nil, errors.As(err, &refusal) && strings.HasPrefix(refusal.Error(), "ERR "):
	default:
		h.outage.Failed(ctx, err)
	}
}
