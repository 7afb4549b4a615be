package job

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

// Key is an idempotency key, unique within a company; empty for none.
type Key string

// maxKey is the longest idempotency key in characters (decision 27).
const maxKey = 255

// ParseHeaderKey checks the key of an attempt from a header, which must be there
// once. A header carries nothing but ASCII unharmed (RFC 9110 §5.5); the edge says
// the same of what gRPC metadata cannot hand on. field is the header's name.
// Errors: as ParseKey.
func ParseHeaderKey(field string, lines ...string) (Key, error) {
	f := newFaults(errs.Invalid)
	if len(lines) != 1 {
		f.Fail(field, "must be sent once")
	} else if strings.ContainsFunc(lines[0], func(r rune) bool { return r <= ' ' || r > '~' }) {
		f.Fail(field, "must hold visible ASCII characters only")
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	return ParseKey(field, lines[0])
}

// ParseKey checks the key of an attempt: 1 to 255 visible characters of any script.
// field names where it came from.
// Errors: INVALID_ARGUMENT PUBLIC_API_VALIDATION_ERROR naming field.
func ParseKey(field, key string) (Key, error) {
	f := newFaults(errs.Invalid)
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
