// Package clock provides the current time. Services use a Clock instead of time.Now, so that tests
// can set the time.
package clock

import (
	"sync"
	"time"
)

// Clock returns the current time.
type Clock interface {
	// Now returns the current time in UTC, truncated to microseconds as in Postgres.
	Now() time.Time
}

// System is the system clock.
type System struct{}

func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Fake is a clock that moves only when Advance is called. It is safe for concurrent use.
type Fake struct {
	mu  sync.Mutex
	now time.Time
}

// NewFake returns a fake clock set to t.
func NewFake(t time.Time) *Fake { return &Fake{now: t.UTC().Truncate(time.Microsecond)} }

func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Advance moves the clock by d.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}
