package redisx

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"vitae.internal/pkg/clock"
)

// sameOutage is the time after an outage within which another one is not reported: for operators, an
// unstable server is one problem.
const sameOutage = 30 * time.Second

// OutageConfig configures an Outage. Everything except Reported is required.
type OutageConfig struct {
	Clock clock.Clock
	Log   *slog.Logger
	// Began is the log message for the start of an outage, which explains what happens without
	// Redis. Ended is the message for its end.
	Began, Ended string
	Reported     func()
}

// Outage logs once that Redis does not work, and once that it works again. It is safe for concurrent
// use.
type Outage struct {
	cfg OutageConfig

	mu sync.Mutex
	// out is true between the first failure and the next success.
	out bool
	// since is the start of the reported outage, or zero.
	since time.Time
	// ended is the end of the last outage.
	ended time.Time
}

// NewOutage returns an Outage. Redis is assumed to work until it fails.
func NewOutage(c OutageConfig) (*Outage, error) {
	if c.Clock == nil || c.Log == nil || c.Began == "" || c.Ended == "" {
		return nil, errors.New("redisx: an outage needs a clock, a log and both log lines")
	}
	return &Outage{cfg: c}, nil
}

// Failed records a failed call to Redis.
func (o *Outage) Failed(ctx context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.out = true
	now := o.cfg.Clock.Now()
	// An outage that follows the last one too soon is reported if it lasts.
	if !o.since.IsZero() || now.Before(o.ended.Add(sameOutage)) {
		return
	}
	o.since = now
	if o.cfg.Reported != nil {
		o.cfg.Reported()
	}
	o.cfg.Log.ErrorContext(ctx, o.cfg.Began, "error", err)
}

// Succeeded records a successful call to Redis.
func (o *Outage) Succeeded(ctx context.Context) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.out {
		return
	}
	now := o.cfg.Clock.Now()
	o.out, o.ended = false, now
	if !o.since.IsZero() {
		o.cfg.Log.InfoContext(ctx, o.cfg.Ended, "after_s", now.Sub(o.since).Seconds())
		o.since = time.Time{}
	}
}
