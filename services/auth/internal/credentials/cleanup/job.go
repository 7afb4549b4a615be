// Package cleanup deletes rows that are no longer needed, in small batches. These are sessions, codes, tokens and
// links that ended long ago, expired sign-ups and resets, and counters that no longer limit password guesses or
// emails.
//
// It must never delete rows that replay detection needs: used codes and rotated refresh tokens are retained as long
// as their family.
package cleanup

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

const (
	// every is the interval at which the job runs.
	every = 10 * time.Minute
	// keep is how long rows are retained after they have ended. Support needs them, and they distinguish an expired
	// token from an unknown one.
	keep = 7 * 24 * time.Hour
	// batch is the maximum number of rows deleted in one transaction. It is small, so that locks are held only
	// briefly.
	batch = 1000
)

// Store deletes rows that are no longer needed.
type Store interface {
	// DeleteDead deletes up to atMost rows of each kind that expired or ended before the given
	// time. It reports whether more may be left.
	DeleteDead(ctx context.Context, before time.Time, atMost int32) (more bool, err error)
	// DeleteIdle deletes up to atMost rows of each kind that no longer have an effect at the given
	// time. It reports whether more may be left.
	DeleteIdle(ctx context.Context, now time.Time, atMost int32) (more bool, err error)
}

// Job returns the cleanup job.
func Job(store Store, clk clock.Clock) background.Job {
	return background.Job{Every: every, Warning: "cannot delete expired rows; trying again in the next round", Round: func(ctx context.Context) error {
		for more := true; more; {
			now := clk.Now()
			dead, err := store.DeleteDead(ctx, now.Add(-keep), batch)
			if err != nil {
				return err
			}
			idle, err := store.DeleteIdle(ctx, now, batch)
			if err != nil {
				return err
			}
			more = dead || idle
		}
		return nil
	}}
}
