package load

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

// Fact is an acknowledged state: reading Path with Credential must return Status.
type Fact struct {
	What, Credential, Path string
	Status                 int
}

// Alive returns the fact that a credential can read a path.
func Alive(what, credential, path string) Fact { return Fact{what, credential, path, http.StatusOK} }

// Ended returns the fact that a credential is revoked and can no longer read a path.
func Ended(what, credential, path string) Fact {
	return Fact{what, credential, path, http.StatusUnauthorized}
}

// Ledger records acknowledgements and broken promises.
type Ledger struct {
	// Requests counts all requests, Refused the temporarily refused requests, and Acknowledged the
	// successful writes.
	Requests, Refused, Acknowledged atomic.Int64
	// Admitted counts the admitted requests of the account with the small daily quota.
	Admitted atomic.Int64

	mu     sync.Mutex
	facts  []Fact // about created objects
	ended  []Fact // about revoked credentials
	wrong  map[string]int
	impact impact
}

// RecordWrite records an acknowledged write: when it began, and the facts that it established.
func (l *Ledger) RecordWrite(begun time.Time, facts ...Fact) {
	l.Acknowledged.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.impact.acknowledged(begun)
	for _, f := range facts {
		if f.Status == http.StatusUnauthorized {
			l.ended = append(l.ended, f)
		} else {
			l.facts = append(l.facts, f)
		}
	}
}

// Facts returns all facts recorded so far.
func (l *Ledger) Facts() []Fact {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(append([]Fact{}, l.facts...), l.ended...)
}

// Broken records a broken promise. It counts identical messages.
func (l *Ledger) Broken(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong == nil {
		l.wrong = map[string]int{}
	}
	l.wrong[fmt.Sprintf(format, args...)]++
}

// Report reports every broken promise as an error.
func (l *Ledger) Report(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for what, times := range l.wrong {
		t.Errorf("%d times: %s", times, what)
	}
	clear(l.wrong)
}

// refuse records a temporarily refused request.
func (l *Ledger) refuse() {
	l.Refused.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.impact.refused()
}

// grace defines how a fault may affect a response.
type grace struct {
	// silence allows a request to get no response.
	silence bool
	// calm forbids any effect of the fault.
	calm bool
}

// served checks a response and reports whether the request succeeded. If it did not, the response must
// be a 503 with Retry-After.
func (l *Ledger) served(what string, want int, a partner.Response, err error, g grace) bool {
	l.Requests.Add(1)
	switch {
	case err != nil && g.silence && !g.calm:
	case err != nil:
		l.Broken("%s: no response: %v", what, err)
	case a.Status == want:
		return true
	case a.Status == http.StatusServiceUnavailable && !g.calm:
		l.refuse()
		if a.Header.Get("Retry-After") == "" {
			l.Broken("%s: 503 without Retry-After: %s", what, a.Code())
		}
	default:
		l.Broken("%s: %d %s, want %d", what, a.Status, a.Code(), want)
	}
	return false
}

// pickRevoked returns one of the revoked credentials, selected by n.
func (l *Ledger) pickRevoked(n int) (Fact, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ended) == 0 {
		return Fact{}, false
	}
	return l.ended[n%len(l.ended)], true
}

// Await waits until count has increased by more.
func Await(t *testing.T, what string, count *atomic.Int64, more int64) {
	t.Helper()
	goal := count.Load() + more
	expect.Eventually(t, what, func(context.Context) error {
		if n := count.Load(); n < goal {
			return fmt.Errorf("%d of %d", n, goal)
		}
		return nil
	})
}
