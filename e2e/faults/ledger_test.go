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

// attempt is a job that a client tries to create.
type attempt struct {
	key     string // the idempotency key
	job     string // the id in the answer; empty without an answer
	applied map[string]string
}

// deadCredential is a credential whose end was acknowledged.
type deadCredential struct {
	what  string
	token string
	path  string
}

// ledger is what clients were answered, and which promises were broken.
type ledger struct {
	// asked counts requests, refused503 the answers of 503.
	asked, refused503 atomic.Int64
	// admitted counts the admitted requests of the account with the small plan.
	admitted atomic.Int64

	mu    sync.Mutex
	jobs  []*attempt
	dead  []deadCredential
	wrong map[string]int
}

func newLedger() *ledger { return &ledger{wrong: map[string]int{}} }

// broken notes a broken promise, once for every text.
func (l *ledger) broken(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong[fmt.Sprintf(format, args...)]++
}

// noteDead notes credentials whose end was acknowledged.
func (l *ledger) noteDead(dead ...deadCredential) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead = append(l.dead, dead...)
}

// anyDead is one of the credentials whose end was acknowledged, in turns by n.
func (l *ledger) anyDead(n int) (deadCredential, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.dead) == 0 {
		return deadCredential{}, false
	}
	return l.dead[n%len(l.dead)], true
}

// report reports every broken promise as an error.
func (l *ledger) report(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for what, times := range l.wrong {
		t.Errorf("%d times: %s", times, what)
	}
	clear(l.wrong)
}

// served checks the answer to a request that only a fault may refuse, and reports whether
// it was served. If calm is true, not even the fault may refuse it.
func (l *ledger) served(what string, want int, a partner.Answer, err error, f fault, calm bool) bool {
	l.asked.Add(1)
	switch {
	case err != nil && f.edge != "" && !calm:
	case err != nil:
		l.broken("%s: no answer: %v", what, err)
	case a.Status == want:
		return true
	case a.Status == http.StatusServiceUnavailable && !calm:
		l.refused503.Add(1)
		if a.Header.Get("Retry-After") == "" {
			l.broken("%s: 503 without Retry-After: %s", what, a.Code())
		}
	default:
		l.broken("%s: %d %s, want %d", what, a.Status, a.Code(), want)
	}
	return false
}

// awaitMore waits until a count has grown by more.
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
