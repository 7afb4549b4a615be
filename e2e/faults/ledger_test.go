package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
)

// attempt is a job that a client asked for.
type attempt struct {
	key     string // idempotency key
	job     string // id that was answered; empty if nothing was
	applied map[string]string
}

// ghost is a credential that was acknowledged dead.
type ghost struct {
	what  string
	token string
	path  string
}

// ledger is what clients were told, and what they were told wrongly.
type ledger struct {
	// asked counts requests, refused503 those answered 503.
	asked, refused503 atomic.Int64
	// admitted counts the requests that the account of a small plan was granted.
	admitted atomic.Int64

	mu     sync.Mutex
	jobs   []*attempt
	ghosts []ghost
	wrong  map[string]int
}

func newLedger() *ledger { return &ledger{wrong: map[string]int{}} }

// blame notes a broken promise.
func (l *ledger) blame(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong[fmt.Sprintf(format, args...)]++
}

// bury notes that credentials were acknowledged dead.
func (l *ledger) bury(dead ...ghost) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ghosts = append(l.ghosts, dead...)
}

// dead is one of the credentials that were acknowledged dead, n counted around them.
func (l *ledger) dead(n int) (ghost, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ghosts) == 0 {
		return ghost{}, false
	}
	return l.ghosts[n%len(l.ghosts)], true
}

// report fails the test for every broken promise.
func (l *ledger) report(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for what, times := range l.wrong {
		t.Errorf("%d times: %s", times, what)
	}
	clear(l.wrong)
}

// served judges the answer to a request that nothing but a fault may refuse, and
// reports whether it was served. calm says that not even the fault may.
func (l *ledger) served(what string, want int, a partner.Answer, err error, f fault, calm bool) bool {
	l.asked.Add(1)
	switch {
	case err != nil && f.edge != "" && !calm:
	case err != nil:
		l.blame("%s: no answer: %v", what, err)
	case a.Status == want:
		return true
	case a.Status == http.StatusServiceUnavailable && !calm:
		l.refused503.Add(1)
		if a.Header.Get("Retry-After") == "" {
			l.blame("%s: 503 without Retry-After: %s", what, a.Code())
		}
	default:
		l.blame("%s: %d %s, want %d", what, a.Status, a.Code(), want)
	}
	return false
}

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
