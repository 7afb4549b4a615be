// Package outage implements a circuit breaker for Redis. While Redis does not respond, requests do not wait for
// it, a single log line reports the outage (redisx.Outage), and one request at a time tests whether Redis is
// available again.
//
// The package must never decide what to do without Redis. That is up to its callers.
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
		Help: "Number of times that Redis stopped answering this replica.",
	})
	out = promauto.NewGauge(prometheus.GaugeOpts{
		Name: "vitae_redis_out",
		Help: "1 while this replica works without Redis.",
	})
)

// Guard decides whether to call Redis. All calls made for requests share one Guard.
type Guard struct {
	// slots limits the number of concurrent calls. Without it, calls would queue for a connection, and a
	// timeout in that queue would look like a Redis outage. A call that has waited for a slot checks again
	// whether Redis is available. Otherwise, each queued call would wait for a separate timeout.
	slots chan struct{}

	rest *redisx.Rest
	// outage writes the log lines.
	outage *redisx.Outage
}

// New returns a Guard. c determines when to test Redis again.
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

// Ask runs f unless Redis is down, and reports whether Redis responded. An error from f means that Redis did
// not respond, unless ctx is also done, because the client may have disconnected.
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
