package load

import (
	"fmt"
	"time"
)

// felt contains the times for how long clients noticed a fault.
type felt struct {
	// since is the time of the fault, followed by the first and last refusal, and write that of the
	// first acknowledged write that began after a refusal.
	since, firstRefusal, lastRefusal, write time.Time
}

// Breaks notes the time of a fault, from which Felt counts.
func (l *Ledger) Breaks() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.felt = felt{since: time.Now()}
}

// Since is how long ago the fault was.
func (l *Ledger) Since() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.felt.since)
}

// Felt describes how long the fault was noticed.
func (l *Ledger) Felt() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.felt
	if f.firstRefusal.IsZero() {
		return "nothing was refused"
	}
	return fmt.Sprintf("writes were acknowledged again %.1f s after it, and the last refusal came %.1f s after it",
		f.write.Sub(f.since).Seconds(), f.lastRefusal.Sub(f.since).Seconds())
}

func (f *felt) refused() {
	if f.since.IsZero() {
		return
	}
	if f.lastRefusal = time.Now(); f.firstRefusal.IsZero() {
		f.firstRefusal = f.lastRefusal
	}
}

func (f *felt) acknowledged(begun time.Time) {
	if !f.firstRefusal.IsZero() && begun.After(f.firstRefusal) && f.write.IsZero() {
		f.write = time.Now()
	}
}
