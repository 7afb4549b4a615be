package throttle

import (
	"context"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
)

// Counter counts attempts.
type Counter interface {
	// Admit answers how long the attempt has to wait; with zero it has counted the
	// attempt as a failure, in the same step.
	Admit(ctx context.Context, a Attempt, now time.Time) (time.Duration, error)
	// Forgive takes back an attempt that turned out right, and forgets what the
	// pair had failed.
	Forgive(ctx context.Context, a Attempt) error
}

// Throttle counts in the shared counter, or in its own while that is down.
type Throttle struct {
	shared Counter
	own    *Memory
	clock  clock.Clock
	log    *slog.Logger
}

// New makes a throttle over a shared counter.
func New(shared Counter, c clock.Clock, log *slog.Logger) *Throttle {
	return &Throttle{shared: shared, own: NewMemory(), clock: c, log: log}
}

// Admit answers how long the attempt has to wait; zero lets it go on.
func (t *Throttle) Admit(ctx context.Context, a Attempt) time.Duration {
	now := t.clock.Now()
	wait, err := t.shared.Admit(ctx, a, now)
	if err == nil {
		return wait
	}
	t.log.DebugContext(ctx, "sign-in attempts are counted in this process only", "error", err)
	wait, _ = t.own.Admit(ctx, a, now)
	return wait
}

// Forgive takes back an attempt that turned out right.
func (t *Throttle) Forgive(ctx context.Context, a Attempt) {
	_ = t.own.Forgive(ctx, a)
	if err := t.shared.Forgive(ctx, a); err != nil {
		t.log.DebugContext(ctx, "a right sign-in stays counted", "error", err)
	}
}
