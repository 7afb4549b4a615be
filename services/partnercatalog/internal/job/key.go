package job

import (
	"context"
	"strings"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

// Key is an idempotency key, which is unique within a company, or "" if the request has none.
type Key string

// maxKey is the maximum length of a key, in characters (behaviour: jobs#idempotency-key).
const maxKey = 255

// ParseHeaderKey validates a key from a header, which must occur exactly once. Only ASCII is safe
// in headers (RFC 9110 §5.5) and in gRPC metadata, which carries the key. field is the name of the
// header. It returns the same errors as ParseKey.
func ParseHeaderKey(field string, lines ...string) (Key, error) {
	f := newFaults()
	if len(lines) != 1 {
		f.Add(field, "must be sent once")
	} else if strings.ContainsFunc(lines[0], func(r rune) bool { return r <= ' ' || r > '~' }) {
		f.Add(field, "must hold visible ASCII characters only")
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	return ParseKey(field, lines[0])
}

// ParseKey validates a key of 1 to 255 visible characters of any script. field is the name of the
// field or header that contains the key. ParseKey returns PUBLIC_API_VALIDATION_ERROR for field if
// the key is invalid.
func ParseKey(field, key string) (Key, error) {
	f := newFaults()
	f.visible(field, key, maxKey)
	if key == "" {
		f.Add(field, "must not be empty")
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	return Key(key), nil
}

const (
	// KeepKeys is the time for which idempotency keys are stored: the promised 30 days
	// (behaviour: jobs#idempotency-key), plus a day for clock differences.
	KeepKeys = 31 * 24 * time.Hour
	// cleanEvery is the time between the starts of two rounds of the clean-up job.
	cleanEvery = 10 * time.Minute
	// cleanBatch is the maximum number of rows per DELETE. It limits how long locks are held.
	cleanBatch = 1000
)

// CleanUpJob returns the background job that deletes idempotency keys older than KeepKeys. It does
// not delete the jobs that were created with them.
func CleanUpJob(store KeyStore, clk clock.Clock) background.Job {
	return background.Job{Every: cleanEvery, Warning: "cannot delete old idempotency keys; trying again in the next round", Round: func(ctx context.Context) error {
		before := clk.Now().Add(-KeepKeys)
		return background.Drain(cleanBatch, func() (int64, error) { return store.DeleteKeys(ctx, before, cleanBatch) })
	}}
}
