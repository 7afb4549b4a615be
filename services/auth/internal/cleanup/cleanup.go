// Package cleanup removes what has been dead for long, in small batches: expired
// sessions, codes and tokens, ended links.
//
// It must never remove what the detection of a replay still needs: a used code
// and rotated refresh tokens stay as long as their family.
package cleanup

import (
	"context"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
)

const (
	// Every is the pause between two rounds.
	Every = 10 * time.Minute
	// Keep is how long dead rows stay, for support and for telling an expired token
	// from an unknown one.
	Keep = 7 * 24 * time.Hour
	// batch bounds one delete, so that it never holds locks for long.
	batch = 1000
)

// Store deletes dead rows.
type Store interface {
	// DeleteDead deletes up to atMost rows of each kind that died before the given
	// time, and reports whether more may be left.
	DeleteDead(ctx context.Context, before time.Time, atMost int32) (more bool, err error)
}

// Worker cleans up.
type Worker struct {
	store Store
	clock clock.Clock
	log   *slog.Logger
}

// New makes a worker.
func New(store Store, c clock.Clock, log *slog.Logger) *Worker {
	return &Worker{store: store, clock: c, log: log}
}

// Run cleans up until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for {
		if err := w.RunOnce(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "dead rows wait for the next round", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// RunOnce removes all that is dead now.
func (w *Worker) RunOnce(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = w.store.DeleteDead(ctx, w.clock.Now().Add(-Keep), batch); err != nil {
			return err
		}
	}
	return nil
}
