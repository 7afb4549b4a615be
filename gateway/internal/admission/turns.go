package admission

import (
	"context"
	"sync"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/errs"
)

// atOnce is how many requests of one address auth checks at a time for this replica while
// nobody knows whether they are honest. A check takes some milliseconds, so a server that
// presents many new tokens after a restart of the gateway hardly waits.
const atOnce = 16

// turns lets a few requests of each address at a time be checked. What is presented in
// vain is counted after the check, and what is left is looked at before it. Without
// turns, as many as arrive at once would all be checked whatever is left. With them,
// each is told how many others may be counted yet.
type turns struct {
	atOnce int
	mu     sync.Mutex
	lines  map[string]*line
}

// line is the requests of one address that are checked or wait for it.
type line struct {
	places chan struct{}
	length int
}

// newTurns makes turns for requests that are counted in the tiers. No more are checked at
// once than a tier has when nothing is spent, or else they would be in each other's way.
func newTurns(tiers ...limits.Tier) *turns {
	t := &turns{atOnce: atOnce, lines: map[string]*line{}}
	for _, tier := range tiers {
		if tier != (limits.Tier{}) {
			t.atOnce = int(min(int64(t.atOnce), tier.Burst.Count, tier.Sustained.Count))
		}
	}
	return t
}

// take waits for a turn, which the caller ends with done once the outcome is counted.
// others have a turn too. Errors: UNAVAILABLE if the request ends before it has a turn.
func (t *turns) take(ctx context.Context, address string) (done func(), others int, err error) {
	t.mu.Lock()
	l := t.lines[address]
	if l == nil {
		l = &line{places: make(chan struct{}, t.atOnce)}
		t.lines[address] = l
	}
	l.length++
	t.mu.Unlock()
	select {
	case l.places <- struct{}{}:
		return func() { <-l.places; t.leave(address, l) }, len(l.places) - 1, nil
	case <-ctx.Done():
		t.leave(address, l)
		return nil, 0, errs.New(errs.Unavailable, errs.CodeUnavailable, "Too many requests of this address are checked.").WithCause(ctx.Err())
	}
}

// leave forgets a line in which nobody is left.
func (t *turns) leave(address string, l *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.length--; l.length == 0 {
		delete(t.lines, address)
	}
}
