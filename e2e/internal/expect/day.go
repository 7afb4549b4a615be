package expect

import (
	"testing"
	"time"
)

// beforeMidnight is the time before the end of a UTC day during which tests that count per day do not
// start. It is longer than such a test takes on a busy machine.
const beforeMidnight = 3 * time.Minute

// OneDay must be called first by tests that count per day. Shortly before midnight UTC it waits for the
// next day, so that all requests of the test fall on the same day.
func OneDay(t testing.TB) {
	t.Helper()
	now := time.Now().UTC()
	midnight := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	if midnight.Sub(now) > beforeMidnight {
		return
	}
	t.Logf("waiting for midnight UTC, %v from now", midnight.Sub(now).Round(time.Second))
	select {
	case <-time.After(time.Until(midnight)):
	case <-t.Context().Done():
	}
}
