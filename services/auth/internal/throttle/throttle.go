package throttle

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
)

// Counter counts attempts.
type Counter interface {
	// Admit gives how long the attempt has to wait. If that is zero, it has counted the
	// attempt as a failure in the same step.
	Admit(ctx context.Context, a Attempt, now time.Time) (time.Duration, error)
	// TakeBack takes back an attempt whose password was not checked.
	TakeBack(ctx context.Context, a Attempt) error
	// Forgive takes back an attempt whose password was right, and resets the count of its
	// pair.
	Forgive(ctx context.Context, a Attempt) error
}

// Config is what a Throttle is made of. All fields are required.
type Config struct {
	// Shared counts for all replicas.
	Shared Counter
	Clock  clock.Clock
	Log    *slog.Logger
}

// Throttle counts in the shared counter, and in one of its own while that is down.
type Throttle struct {
	shared Counter
	own    *Memory
	clock  clock.Clock
	log    *slog.Logger
}

// New makes a Throttle.
func New(c Config) (*Throttle, error) {
	if c.Shared == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("throttle: Shared, Clock and Log are required")
	}
	return &Throttle{shared: c.Shared, own: NewMemory(), clock: c.Clock, log: c.Log}, nil
}

// Admit gives how long the attempt has to wait. With zero it may go on.
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

// TakeBack takes back an attempt whose password was not checked.
func (t *Throttle) TakeBack(ctx context.Context, a Attempt) { t.undo(ctx, a, Counter.TakeBack) }

// Forgive takes back an attempt whose password was right.
func (t *Throttle) Forgive(ctx context.Context, a Attempt) { t.undo(ctx, a, Counter.Forgive) }

func (t *Throttle) undo(ctx context.Context, a Attempt, how func(Counter, context.Context, Attempt) error) {
	_ = how(t.own, ctx, a)
	if err := how(t.shared, ctx, a); err != nil {
		t.log.DebugContext(ctx, "a sign-in attempt stays counted", "error", err)
	}
}
