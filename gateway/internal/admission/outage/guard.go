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
	// sameOutage is how long after it has ended an outage that begins again is no
	// news: a server that comes and goes is one fault. One that stays away longer is.
	sameOutage = 30 * time.Second
)

// Guard stands before Redis.
type Guard struct {
	clock clock.Clock
	log   *slog.Logger
	// slots are the calls under way. Who waits for one looks again whether Redis
	// answers: a crowd must neither take its own queue for an outage, nor find out
	// about one in turns.
	slots chan struct{}

	mu    sync.Mutex
	until time.Time // Redis is left alone until then; zero while it answers
	since time.Time // when the outage that was reported began; zero for none
	ended time.Time // when the last one ended
}

// New makes a guard.
func New(c clock.Clock, log *slog.Logger) *Guard {
	return &Guard{clock: c, log: log, slots: make(chan struct{}, redisx.PoolSize)}
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
	now := g.clock.Now()
	g.until = now.Add(restTime)
	out.Set(1)
	if !g.since.IsZero() || now.Before(g.ended.Add(sameOutage)) {
		return
	}
	g.since = now
	outages.Inc()
	g.log.ErrorContext(ctx, "redis does not answer: auth checks credentials, and this replica holds the limits alone", "error", err)
}

func (g *Guard) succeeded(ctx context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.until.IsZero() {
		return
	}
	now := g.clock.Now()
	g.until, g.ended = time.Time{}, now
	out.Set(0)
	if !g.since.IsZero() {
		g.log.InfoContext(ctx, "redis answers again", "after_s", now.Sub(g.since).Seconds())
		g.since = time.Time{}
	}
}
