package password

import (
	"context"
	"slices"
	"sync"
	"time"

	"vitae.internal/pkg/errs"
)

// Class groups the work that must not crowd out other work. The classes take turns.
type Class int

const (
	// Strangers are sign-ins from browsers that the account does not know.
	Strangers Class = iota
	// Known are sign-ins from browsers in which the account has signed in before.
	Known
	// Creations are new accounts, of which an import makes many.
	Creations
	classes
)

// Share is on whose behalf a password is hashed. Shares of one class take turns too.
type Share struct {
	Class Class
	// Key is the address of a stranger, or the account that a browser knows.
	Key string
}

// busyWait is how long a caller is told to wait who finds no room: longer than a full
// queue takes.
const busyWait = 5 * time.Second

// ErrBusy is for work that finds no room in the queue
// (behaviour: sign-in#password-checks-take-turns). It is a limit and not an outage: a
// flood must not fill the log with warnings.
var ErrBusy = errs.New(errs.Exhausted, "SIGN_IN_BUSY", "Too many passwords are being checked. Try again shortly.").
	WithRetryAfter(busyWait)

// Limits bound the computations of one process. All must be positive.
type Limits struct {
	// AtOnce is how many run at a time.
	AtOnce int
	// Waiting is how many of each class may wait.
	Waiting int
	// PerShare is how many of one share may wait; of Creations, as many as Waiting.
	PerShare int
}

// gate lets in a bounded number of computations, of a bounded total of memory. Who has
// to wait is let in by turns: one of each class, and within a class one of each share. So
// one address with many attempts delays the others by one attempt at a time
// (behaviour: sign-in#password-checks-take-turns).
type gate struct {
	limits Limits
	// memory is the most KiB at a time. A single computation that needs more runs alone.
	memory uint64

	mu      sync.Mutex
	running int
	used    uint64
	lines   [classes]line
	next    Class
}

// waiter is a computation that wants to run.
type waiter struct {
	share   Share
	kib     uint64
	granted chan struct{}
}

// line is what waits of one class. turns has each share once, in the order of turns.
type line struct {
	size   int
	shares map[string][]*waiter
	turns  []string
}

func newGate(l Limits, memory uint64) *gate {
	g := &gate{limits: l, memory: memory}
	for i := range g.lines {
		g.lines[i].shares = map[string][]*waiter{}
	}
	return g
}

// enter waits until a computation that needs kib may run. leave must be called after it.
// Errors: ErrBusy; Unavailable if ctx ends first.
func (g *gate) enter(ctx context.Context, s Share, kib uint64) (leave func(), err error) {
	if ctx.Err() != nil {
		return nil, gaveUp(ctx)
	}
	w := &waiter{share: s, kib: kib, granted: make(chan struct{})}
	if !g.push(w) {
		return nil, ErrBusy
	}
	select {
	case <-w.granted:
		return func() { g.leave(w) }, nil
	case <-ctx.Done():
		if !g.remove(w) {
			g.leave(w) // it was let in at the same moment
		}
		return nil, gaveUp(ctx)
	}
}

func gaveUp(ctx context.Context) error {
	return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").WithCause(ctx.Err())
}

// push lets w in or has it wait; false if there is no room.
func (g *gate) push(w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := &g.lines[w.share.Class]
	most := g.limits.PerShare
	if w.share.Class == Creations {
		most = g.limits.Waiting
	}
	if l.size >= g.limits.Waiting || len(l.shares[w.share.Key]) >= most {
		return false
	}
	if len(l.shares[w.share.Key]) == 0 {
		l.turns = append(l.turns, w.share.Key)
	}
	l.shares[w.share.Key] = append(l.shares[w.share.Key], w)
	l.size++
	g.letIn()
	return true
}

func (g *gate) leave(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.used -= w.kib
	g.letIn()
}

// letIn lets in whoever may run now. Whoever is next and needs more memory than is free
// keeps the turn, so that nobody overtakes it for ever.
func (g *gate) letIn() {
	for g.running < g.limits.AtOnce {
		class, ok := g.nextClass()
		if !ok {
			return
		}
		l := &g.lines[class]
		w := l.shares[l.turns[0]][0]
		if g.running > 0 && g.used+w.kib > g.memory {
			return
		}
		l.pop()
		g.next = (class + 1) % classes
		g.running++
		g.used += w.kib
		close(w.granted)
	}
}

func (g *gate) nextClass() (Class, bool) {
	for i := range classes {
		if class := (g.next + i) % classes; g.lines[class].size > 0 {
			return class, true
		}
	}
	return 0, false
}

// pop takes out who is next, and puts its share behind the others.
func (l *line) pop() {
	key := l.turns[0]
	l.turns = l.turns[1:]
	l.size--
	if rest := l.shares[key][1:]; len(rest) > 0 {
		l.shares[key] = rest
		l.turns = append(l.turns, key)
		return
	}
	delete(l.shares, key)
}

// remove takes w out; false if it does not wait any more.
func (g *gate) remove(w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := &g.lines[w.share.Class]
	waiting := l.shares[w.share.Key]
	at := slices.Index(waiting, w)
	if at < 0 {
		return false
	}
	l.size--
	if len(waiting) > 1 {
		l.shares[w.share.Key] = slices.Delete(waiting, at, at+1)
		return true
	}
	delete(l.shares, w.share.Key)
	turn := slices.Index(l.turns, w.share.Key)
	l.turns = slices.Delete(l.turns, turn, turn+1)
	return true
}
