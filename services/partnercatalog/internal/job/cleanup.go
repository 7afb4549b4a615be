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
	// KeepKeys is how long idempotency keys are kept: the promised 30 days
	// (behaviour: jobs#idempotency-key), and a day for differences between clocks.
	KeepKeys = 31 * 24 * time.Hour
	// cleanEvery is the pause between two rounds of the clean-up job.
	cleanEvery = 10 * time.Minute
	// cleanBatch limits the rows of one DELETE, and with it how long locks are held.
	cleanBatch = 1000
)

// CleanUpConfig contains the dependencies of the clean-up job. Every field is required.
type CleanUpConfig struct {
	Store KeyStore
	Clock clock.Clock
	Log   *slog.Logger
}

// NewCleanUpJob returns the job that deletes idempotency keys older than KeepKeys. Their jobs
// are kept.
func NewCleanUpJob(c CleanUpConfig) (periodic.Job, error) {
	if c.Store == nil || c.Clock == nil {
		return periodic.Job{}, errors.New("job: Store and Clock of the clean-up job are required")
	}
	return periodic.New(periodic.Job{
		Every: cleanEvery, Log: c.Log, Waiting: "cannot delete old idempotency keys; trying again in the next round",
		Round: c.deleteOldKeys,
	})
}

func (c CleanUpConfig) deleteOldKeys(ctx context.Context) error {
	before := c.Clock.Now().Add(-KeepKeys)
	for {
		n, err := c.Store.DeleteKeys(ctx, before, cleanBatch)
		if err != nil || n < cleanBatch {
			return err
		}
	}
}
