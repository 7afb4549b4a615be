// Package outage stands between the gateway and Redis. While Redis does not answer,
// requests do not each wait for it, operators get one log line (redisx.Outage), and
// one request at a time finds out whether it is back.
//
// It must never decide what to do without Redis: its callers do.
package outage

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
)

var (
	outages = promauto.NewCounter(prometheus.CounterOpts{
		Name: "vitae_redis_outages_total",
		Help: "Times that Redis stopped answering this replica.",
	})
	out = promauto.NewGauge(prometheus.GaugeOpts{
		Name: "vitae_redis_out",
		Help: "1 while this replica serves without Redis.",
	})
)

// Guard decides whether a call goes to Redis. All who use Redis for requests share
// one.
type Guard struct {
	// slots bounds the calls that run at a time. A call that waited for a slot checks
	// again whether Redis answers. Without the bound, calls would queue for a
	// connection, and the time-out of that queue would look like an outage of Redis.
	// Without the second check, each call of a queue would wait for its own time-out.
	slots chan struct{}

	rest *redisx.Rest
	// outage writes the log lines.
	outage *redisx.Outage
}

// New makes a guard.
func New(c clock.Clock, log *slog.Logger) (*Guard, error) {
	outage, err := redisx.NewOutage(redisx.OutageConfig{
		Clock: c, Log: log, Reported: outages.Inc,
		Began: "redis does not answer: auth checks credentials, and this replica holds the limits alone",
		Ended: "redis answers again",
	})
	if err != nil {
		return nil, err
	}
	rest, err := redisx.NewRest(c)
	if err != nil {
		return nil, err
	}
	return &Guard{rest: rest, outage: outage, slots: make(chan struct{}, redisx.PoolSize)}, nil
}

// Ask runs f unless Redis is silent, and reports whether Redis answered. An error of
// f means that Redis did not answer. If ctx has ended too, the client may have gone,
// and the error says nothing about Redis.
func (g *Guard) Ask(ctx context.Context, f func() error) bool {
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	case <-ctx.Done():
		return false
	}
	if !g.rest.Allow() {
		return false
	}
	err := f()
	switch {
	case err == nil && g.rest.Succeeded():
		out.Set(0)
		g.outage.Succeeded(ctx)
	case err != nil && ctx.Err() == nil:
		g.rest.Failed()
		out.Set(1)
		g.outage.Failed(ctx, err)
	}
	return err == nil
}
