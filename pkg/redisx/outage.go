package redisx

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"vitae.internal/pkg/clock"
)

// sameOutage is the time after an outage within which a new failure is not reported, because
// operators consider an unstable server to be one problem.
const sameOutage = 30 * time.Second

// OutageConfig configures an Outage. All fields except Reported are required.
type OutageConfig struct {
	Clock clock.Clock
	Log   *slog.Logger
	// Began is the log message for the start of an outage; it should explain how the service works
	// without Redis. Ended is the log message for the end.
	Began, Ended string
	Reported     func()
}

// Outage logs a message when Redis stops working and another when it works again. It is safe for
// concurrent use.
type Outage struct {
	cfg OutageConfig

	mu sync.Mutex
	// out reports whether Redis has failed since the last success.
	out bool
	// since is the start of the reported outage, or zero if none is reported.
	since time.Time
	// ended is the end of the last outage.
	ended time.Time
}

// NewOutage returns an Outage. It assumes that Redis works until a call fails.
func NewOutage(c OutageConfig) (*Outage, error) {
	if c.Clock == nil || c.Log == nil || c.Began == "" || c.Ended == "" {
		return nil, errors.New("redisx: an outage requires a clock, a log and both log messages")
	}
	return &Outage{cfg: c}, nil
}

// Failed records a failed call to Redis.
func (o *Outage) Failed(ctx context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.out = true
	now := o.cfg.Clock.Now()
	// An outage that starts too soon after the last one is reported only if it lasts.
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
