package load

import (
	"fmt"
	"time"
)

// impact records for how long clients noticed a fault.
type impact struct {
	// since is when the fault occurred. firstRefusal and lastRefusal are when requests were first and
	// last refused. write is when the first write that began after firstRefusal was acknowledged.
	since, firstRefusal, lastRefusal, write time.Time
}

// Breaks records the start of a fault. Since and Impact measure from then.
func (l *Ledger) Breaks() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.impact = impact{since: time.Now()}
}

// Since returns the time since the fault began.
func (l *Ledger) Since() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.impact.since)
}

// Impact describes for how long clients noticed the fault.
func (l *Ledger) Impact() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.impact
	if f.firstRefusal.IsZero() {
		return "no request was refused"
	}
	return fmt.Sprintf("writes were acknowledged again %.1f s after the fault, and the last refusal came %.1f s after it",
		f.write.Sub(f.since).Seconds(), f.lastRefusal.Sub(f.since).Seconds())
}

func (f *impact) refused() {
	if f.since.IsZero() {
		return
	}
	if f.lastRefusal = time.Now(); f.firstRefusal.IsZero() {
		f.firstRefusal = f.lastRefusal
	}
}

func (f *impact) acknowledged(begun time.Time) {
	if !f.firstRefusal.IsZero() && begun.After(f.firstRefusal) && f.write.IsZero() {
		f.write = time.Now()
	}
}
