package ha_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
)

// fact is something that a client was told: from then on a path answers a credential with
// a status.
type fact struct {
	what, path, credential string
	status                 int
}

// ledger is what clients were told, and which promises were broken.
type ledger struct {
	asked, refused, acknowledged atomic.Int64

	mu    sync.Mutex
	facts []fact
	ended []fact // those of credentials that were ended
	wrong map[string]int
	// since is the moment of the fault, firstRefused and lastRefused are those of refusals
	// after it. firstWrite is that of the first acknowledged write that began after a
	// refusal.
	since, firstRefused, lastRefused, firstWrite time.Time
}

func newLedger() *ledger { return &ledger{wrong: map[string]int{}} }

// told notes an acknowledged write that began at a moment, and what it made true.
func (l *ledger) told(begun time.Time, facts ...fact) {
	l.acknowledged.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.firstRefused.IsZero() && begun.After(l.firstRefused) && l.firstWrite.IsZero() {
		l.firstWrite = time.Now()
	}
	for _, f := range facts {
		if f.status == http.StatusUnauthorized {
			l.ended = append(l.ended, f)
		} else {
			l.facts = append(l.facts, f)
		}
	}
}

// breaks notes the moment of a fault.
func (l *ledger) breaks() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.since = time.Now()
}

// broken notes a broken promise, once for every text.
func (l *ledger) broken(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong[fmt.Sprintf(format, args...)]++
}

// refuse notes an answer that says to come again.
func (l *ledger) refuse() {
	l.refused.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since.IsZero() {
		return
	}
	if l.lastRefused = time.Now(); l.firstRefused.IsZero() {
		l.firstRefused = l.lastRefused
	}
}

// served reports whether an answer has the status that it must have. It may be a 503
// instead, which says when to come again.
func (l *ledger) served(what string, want int, a partner.Answer, err error) bool {
	l.asked.Add(1)
	switch {
	case err != nil:
		l.broken("%s: no answer: %v", what, err)
	case a.Status == want:
		return true
	case a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "":
		l.refuse()
	default:
		l.broken("%s: %s, want %d", what, a, want)
	}
	return false
}

// anEnded is one of the credentials that were ended, in turns by n.
func (l *ledger) anEnded(n int) (fact, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ended) == 0 {
		return fact{}, false
	}
	return l.ended[n%len(l.ended)], true
}

// seconds says how long the fault was felt.
func (l *ledger) seconds() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.firstRefused.IsZero() {
		return "nothing was refused"
	}
	return fmt.Sprintf("writes were acknowledged again %.1f s after it, and the last refusal came %.1f s after it",
		l.firstWrite.Sub(l.since).Seconds(), l.lastRefused.Sub(l.since).Seconds())
}

// audit looks for everything that clients were told.
func (l *ledger) audit(t *testing.T, bases []string) {
	t.Helper()
	lost, undone := 0, 0
	for _, base := range bases {
		for _, f := range l.facts {
			if a := expect.Must(partner.Get(t.Context(), base+f.path, f.credential))(t); a.Status != f.status {
				lost++
				t.Errorf("%s was acknowledged, and answers %s", f.what, a)
			}
		}
		for _, f := range l.ended {
			if a := expect.Must(partner.Get(t.Context(), base+f.path, f.credential))(t); a.Status != f.status {
				undone++
				t.Errorf("%s was ended, and answers %s", f.what, a)
			}
		}
	}
	for what, times := range l.wrong {
		t.Errorf("%d times: %s", times, what)
	}
	t.Logf("%d requests, of which %d were refused; %d acknowledged writes, %d lost; %d ended credentials, %d alive again",
		l.asked.Load(), l.refused.Load(), l.acknowledged.Load(), lost, len(l.ended), undone)
}

// awaitMore waits until a count has grown.
func awaitMore(t *testing.T, what string, count *atomic.Int64, more int64) {
	t.Helper()
	goal := count.Load() + more
	expect.Eventually(t, what, func(context.Context) error {
		if n := count.Load(); n < goal {
			return fmt.Errorf("%d of %d", n, goal)
		}
		return nil
	})
}
