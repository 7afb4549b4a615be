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

// Fact is an acknowledgement: a path then returns a status to a credential.
type Fact struct {
	What, Credential, Path string
	Status                 int
}

// Alive is the fact that a credential can read a path.
func Alive(what, credential, path string) Fact { return Fact{what, credential, path, http.StatusOK} }

// Ended is the fact that a credential for a path was ended.
func Ended(what, credential, path string) Fact {
	return Fact{what, credential, path, http.StatusUnauthorized}
}

// Ledger contains acknowledgements and broken promises.
type Ledger struct {
	// Asked counts requests, Refused those that were refused temporarily, and Acknowledged the
	// successful writes.
	Asked, Refused, Acknowledged atomic.Int64
	// Admitted counts the admitted requests of the account with the small budget.
	Admitted atomic.Int64

	mu    sync.Mutex
	facts []Fact // of what was made
	ended []Fact // of credentials that were ended
	wrong map[string]int
	felt  felt
}

// Records an acknowledged write with the time at which it began, and its facts.
func (l *Ledger) Told(begun time.Time, facts ...Fact) {
	l.Acknowledged.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.felt.acknowledged(begun)
	for _, f := range facts {
		if f.Status == http.StatusUnauthorized {
			l.ended = append(l.ended, f)
		} else {
			l.facts = append(l.facts, f)
		}
	}
}

// Facts are all facts so far.
func (l *Ledger) Facts() []Fact {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(append([]Fact{}, l.facts...), l.ended...)
}

// Broken notes a broken promise; equal texts are counted.
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

// refuse notes a temporary refusal.
func (l *Ledger) refuse() {
	l.Refused.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.felt.refused()
}

// grace is what a fault may do to an answer.
type grace struct {
	// silence permits that there is no answer.
	silence bool
	// calm forbids any effect of the fault.
	calm bool
}

// served checks an answer and reports whether the request was served. Otherwise it must be a 503
// with Retry-After.
func (l *Ledger) served(what string, want int, a partner.Answer, err error, g grace) bool {
	l.Asked.Add(1)
	switch {
	case err != nil && g.silence && !g.calm:
	case err != nil:
		l.Broken("%s: no answer: %v", what, err)
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

// anEnded returns one of the ended credentials.
func (l *Ledger) anEnded(n int) (Fact, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ended) == 0 {
		return Fact{}, false
	}
	return l.ended[n%len(l.ended)], true
}

// Await waits until a count has grown by more.
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
