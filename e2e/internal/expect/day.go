package expect

import (
	"testing"
	"time"
)

// beforeMidnight is how long before the end of a UTC day a test that counts by days does not
// begin any more. It is longer than such a test takes on a busy machine.
const beforeMidnight = 3 * time.Minute

// OneDay begins a test that counts what happens today: shortly before midnight UTC it waits
// for the next day, so that its requests are not of two days.
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
