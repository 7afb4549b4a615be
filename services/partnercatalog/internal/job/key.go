package job

import (
	"context"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

// Key is an idempotency key, unique within a company; empty for none.
type Key string

// maxKey is the longest idempotency key in characters (decision 27).
const maxKey = 255

// ParseKey checks the key of an attempt, which must have been sent once. field
// names where it came from.
// Errors: INVALID_ARGUMENT PUBLIC_API_VALIDATION_ERROR naming field.
func ParseKey(field string, values ...string) (Key, error) {
	f := newFaults(errs.Invalid)
	if len(values) != 1 {
		f.Fail(field, "must be sent once")
		return "", f.Err()
	}
	key := values[0]
	f.visible(field, key, maxKey)
	if key == "" {
		f.Fail(field, "must not be empty")
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	return Key(key), nil
}

const (
	// KeepKeys is how long a key stands for its job: the 30 days that are promised
	// (decision 27), and a day for clocks that disagree.
	KeepKeys = 31 * 24 * time.Hour
	// cleanEvery is the pause between two rounds of the cleaner.
	cleanEvery = 10 * time.Minute
	// cleanBatch bounds one delete, so that it never holds locks for long.
	cleanBatch = 1000
)

// KeyStore forgets idempotency keys.
type KeyStore interface {
	// DeleteKeys forgets up to atMost keys from before a time, and says how many.
	DeleteKeys(ctx context.Context, before time.Time, atMost int32) (int64, error)
}

// Cleaner removes idempotency keys that no longer stand for their job. Jobs stay.
type Cleaner struct {
	store KeyStore
	clock clock.Clock
	log   *slog.Logger
}

// NewCleaner makes a cleaner on a store.
func NewCleaner(store KeyStore, clk clock.Clock, log *slog.Logger) *Cleaner {
	return &Cleaner{store: store, clock: clk, log: log}
}

// Run cleans up now and again until ctx ends.
func (c *Cleaner) Run(ctx context.Context) {
	tick := time.NewTicker(cleanEvery)
	defer tick.Stop()
	for {
		if err := c.RunOnce(ctx); err != nil && ctx.Err() == nil {
			c.log.WarnContext(ctx, "old idempotency keys wait for the next round", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// RunOnce removes what is too old now, batch by batch.
func (c *Cleaner) RunOnce(ctx context.Context) error {
	before := c.clock.Now().Add(-KeepKeys)
	for {
		n, err := c.store.DeleteKeys(ctx, before, cleanBatch)
		if err != nil || n < cleanBatch {
			return err
		}
	}
}
