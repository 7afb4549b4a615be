package job

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/periodic"
)

const (
	// KeepKeys is how long a key stands for its job: the 30 days that are promised
	// (behaviour: jobs#idempotency-key), and a day for clocks that disagree.
	KeepKeys = 31 * 24 * time.Hour
	// cleanEvery is the pause between two rounds of the clean-up job.
	cleanEvery = 10 * time.Minute
	// cleanBatch bounds one delete, so that it never holds locks for long.
	cleanBatch = 1000
)

// CleanUpConfig is what the clean-up job needs. Every field is required.
type CleanUpConfig struct {
	Store KeyStore
	Clock clock.Clock
	Log   *slog.Logger
}

// NewCleanUpJob makes the job that removes idempotency keys older than KeepKeys. The
// jobs that they stand for stay.
func NewCleanUpJob(c CleanUpConfig) (periodic.Job, error) {
	if c.Store == nil || c.Clock == nil {
		return periodic.Job{}, errors.New("job: Store and Clock of the clean-up job are required")
	}
	return periodic.New(periodic.Job{
		Every: cleanEvery, Log: c.Log, Waiting: "old idempotency keys wait for the next round",
		Round: c.deleteOldKeys,
	})
}

// deleteOldKeys removes the keys that are too old now, batch by batch.
func (c CleanUpConfig) deleteOldKeys(ctx context.Context) error {
	before := c.Clock.Now().Add(-KeepKeys)
	for {
		n, err := c.Store.DeleteKeys(ctx, before, cleanBatch)
		if err != nil || n < cleanBatch {
			return err
		}
	}
}
