package job

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

const (
	// KeepKeys is how long idempotency keys are kept: the promised 30 days
	// (behaviour: jobs#idempotency-key), and a day for differences between clocks.
	KeepKeys = 31 * 24 * time.Hour
	// cleanEvery is the pause between two rounds of the clean-up job.
	cleanEvery = 10 * time.Minute
	// cleanBatch limits the rows of one DELETE, and with it how long locks are held.
	cleanBatch = 1000
)

// CleanUpJob returns the job that deletes idempotency keys older than KeepKeys. Their jobs
// are kept.
func CleanUpJob(store KeyStore, clk clock.Clock) background.Job {
	return background.Job{Every: cleanEvery, Warning: "cannot delete old idempotency keys; trying again in the next round", Round: func(ctx context.Context) error {
		before := clk.Now().Add(-KeepKeys)
		return background.Drain(cleanBatch, func() (int64, error) { return store.DeleteKeys(ctx, before, cleanBatch) })
	}}
}
