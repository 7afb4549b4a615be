package redisx

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"vitae.internal/pkg/clock"
)

// sameOutage is how long after its end an outage that begins again is not reported
// again: a server that comes and goes is one fault to operators.
const sameOutage = 30 * time.Second

// OutageConfig is what an Outage is made of. Everything is required but Reported.
type OutageConfig struct {
	Clock clock.Clock
	Log   *slog.Logger
	// Began is the log line for the begin of an outage; it says what the part does
	// without Redis. Ended is the line for the end.
	Began, Ended string
	// Reported is called once for each outage that is logged.
	Reported func()
}

// Outage tells operators once that Redis does not do its work, and once that it
// does again. It is safe for concurrent use.
type Outage struct {
	cfg OutageConfig

	mu sync.Mutex
	// out is true from the first failure to the next success.
	out bool
	// since is when the outage that was reported began; zero for none.
	since time.Time
	// ended is when the last outage ended.
	ended time.Time
}

// NewOutage makes an Outage. Redis is taken to work until it fails.
func NewOutage(c OutageConfig) (*Outage, error) {
	if c.Clock == nil || c.Log == nil || c.Began == "" || c.Ended == "" {
		return nil, errors.New("redisx: an outage needs a clock, a log and both log lines")
	}
	return &Outage{cfg: c}, nil
}

// Failed takes the failure of a call to Redis.
func (o *Outage) Failed(ctx context.Context, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.out = true
	now := o.cfg.Clock.Now()
	// An outage that began too soon to be reported is reported once it has lasted.
	if !o.since.IsZero() || now.Before(o.ended.Add(sameOutage)) {
		return
	}
	o.since = now
	if o.cfg.Reported != nil {
		o.cfg.Reported()
	}
	o.cfg.Log.ErrorContext(ctx, o.cfg.Began, "error", err)
}

// Succeeded takes the success of a call to Redis.
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
