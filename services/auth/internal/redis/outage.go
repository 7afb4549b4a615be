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

// OutageHook logs Redis outages. It is a hook of the Redis client, so the client's callers don't need to report
// errors.
type OutageHook struct{ outage *redisx.Outage }

var _ redis.Hook = (*OutageHook)(nil)

// NewOutageHook returns a hook for one client, or an error if a required field is missing.
func NewOutageHook(c clock.Clock, log *slog.Logger) (*OutageHook, error) {
	outage, err := redisx.NewOutage(redisx.OutageConfig{
		Clock: c, Log: log,
		Began: "redis is out of reach: credentials are checked in Postgres, and revocations return only after all records have expired",
		Ended: "redis is in reach again",
	})
	if err != nil {
		return nil, err
	}
	return &OutageHook{outage: outage}, nil
}

// DialHook does nothing, because a failed dial also makes the command fail that needs the connection.
func (h *OutageHook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook observes single commands.
func (h *OutageHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		h.observe(ctx, err)
		return err
	}
}

// ProcessPipelineHook observes pipelines.
func (h *OutageHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		h.observe(ctx, err)
		return err
	}
}

// observe records the result of a command. Two kinds of errors do not indicate an outage: a caller's timeout, and a
// plain "ERR", with which an old server rejects an unknown handshake command. Any other error (READONLY, LOADING,
// CLUSTERDOWN, …) means that the server doesn't work.
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
