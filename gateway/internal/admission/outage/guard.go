// Package outage keeps the edge going while Redis does not answer: requests do not
// each wait for it, operators are told once, and when it is back one request finds
// out, not all of them together.
package outage

import (
	"context"
	"log/slog"
	"sync"
	"time"

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

const (
	// restTime is how long Redis is left alone after a fault. It is short because
	// auth answers meanwhile, at the price of a query for each request.
	restTime = time.Second
)

// Guard stands before Redis.
type Guard struct {
	clock clock.Clock
	// slots are the calls under way. Who waits for one looks again whether Redis
	// answers: a crowd must neither take its own queue for an outage, nor find out
	// about one in turns.
	slots chan struct{}

	// outage tells operators.
	outage *redisx.Outage

	mu sync.Mutex
	// until is how long Redis is left alone; zero while it answers.
	until time.Time
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
	return &Guard{clock: c, outage: outage, slots: make(chan struct{}, redisx.PoolSize)}, nil
}

// Ask runs f unless Redis is being left alone, and reports whether it got an
// answer. f's error means that Redis did not answer; only if ctx has ended too it
// may be the client who went away, and then says nothing about Redis.
func (g *Guard) Ask(ctx context.Context, f func() error) bool {
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	case <-ctx.Done():
		return false
	}
	if !g.allow() {
		return false
	}
	err := f()
	switch {
	case err == nil:
		g.succeeded(ctx)
	case ctx.Err() == nil:
		g.failed(ctx, err)
	}
	return err == nil
}

// allow reports whether to ask Redis now. After a rest one request at a time
// tries, one in each restTime, until one succeeds.
func (g *Guard) allow() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.until.IsZero() {
		return true
	}
	now := g.clock.Now()
	if now.Before(g.until) {
		return false
	}
	g.until = now.Add(restTime)
	return true
}

func (g *Guard) failed(ctx context.Context, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until = g.clock.Now().Add(restTime)
	out.Set(1)
	g.outage.Failed(ctx, err)
}

func (g *Guard) succeeded(ctx context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.until.IsZero() {
		return
	}
	g.until = time.Time{}
	out.Set(0)
	g.outage.Succeeded(ctx)
}
