package throttle

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
)

// Counter counts attempts. It must be safe for concurrent use.
type Counter interface {
	// Admit returns how long the attempt must wait. If it need not wait, Admit has counted it as a failure in the
	// same atomic step.
	Admit(ctx context.Context, a Attempt, now time.Time) (time.Duration, error)
	// TakeBack reverses the counting of an attempt whose password was not checked.
	TakeBack(ctx context.Context, a Attempt) error
	// Forgive reverses the counting of an attempt whose password was right, and resets the count of its pair.
	Forgive(ctx context.Context, a Attempt) error
}

// Config configures a Throttle. All fields are required.
type Config struct {
	// Shared is the counter that all replicas use.
	Shared Counter
	Clock  clock.Clock
	Log    *slog.Logger
}

// Throttle counts attempts in the shared counter, or in memory while the shared counter is down.
type Throttle struct {
	shared Counter
	own    *Memory
	clock  clock.Clock
	log    *slog.Logger
}

// New returns a Throttle, or an error if a required field is missing.
func New(c Config) (*Throttle, error) {
	if c.Shared == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("throttle: Shared, Clock and Log are required")
	}
	return &Throttle{shared: c.Shared, own: NewMemory(), clock: c.Clock, log: c.Log}, nil
}

// Admit returns how long the attempt must wait, or zero if it may proceed.
func (t *Throttle) Admit(ctx context.Context, a Attempt) time.Duration {
	now := t.clock.Now()
	wait, err := t.shared.Admit(ctx, a, now)
	if err == nil {
		return wait
	}
	t.log.DebugContext(ctx, "sign-in attempts are counted only in this process", "error", err)
	wait, _ = t.own.Admit(ctx, a, now)
	return wait
}

// TakeBack reverses the counting of an attempt whose password was not checked.
func (t *Throttle) TakeBack(ctx context.Context, a Attempt) { t.undo(ctx, a, Counter.TakeBack) }

// Forgive reverses the counting of an attempt whose password was right.
func (t *Throttle) Forgive(ctx context.Context, a Attempt) { t.undo(ctx, a, Counter.Forgive) }

func (t *Throttle) undo(ctx context.Context, a Attempt, how func(Counter, context.Context, Attempt) error) {
	_ = how(t.own, ctx, a)
	if err := how(t.shared, ctx, a); err != nil {
		t.log.DebugContext(ctx, "a sign-in attempt was not removed from the count", "error", err)
	}
}
