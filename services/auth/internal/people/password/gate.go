package password

import (
	"context"
	"slices"
	"sync"
	"time"

	"vitae.internal/pkg/errs"
)

// Class groups computations, so that no group starves another. Classes take turns.
type Class int

const (
	// Strangers is the class of sign-ins from browsers that the account doesn't know.
	Strangers Class = iota
	// Known is the class of sign-ins from browsers in which the account has signed in before.
	Known
	// Creations is the class of password hashes for new accounts. A bulk import creates many at once.
	Creations
	classes
)

// Share identifies on whose behalf a computation runs. The shares within a class take turns.
type Share struct {
	Class Class
	// Key is a stranger's client IP address, or the account that knows the browser.
	Key string
}

// busyWait is the time after which callers should retry. It exceeds the time that a full queue takes to empty.
const busyWait = 5 * time.Second

// ErrBusy is returned if the queue is full (behaviour: sign-in#queue-of-password-checks). It reports a limit, not an
// outage, so that a flood doesn't fill the log with warnings.
var ErrBusy = errs.New(errs.Exhausted, "SIGN_IN_BUSY", "Too many passwords are being checked. Try again shortly.").
	WithRetryAfter(busyWait)

// Limits limits the computations in one process. All fields must be positive.
type Limits struct {
	// AtOnce is the maximum number of computations that run at the same time.
	AtOnce int
	// Waiting is the maximum number of computations that wait in each class.
	Waiting int
	// PerShare is the maximum number of computations that wait in each share. Creations have no such limit.
	PerShare int
}

// gate limits how many computations run at the same time and how much memory they need in total. Waiting
// computations are started in turn: one from each class, and within a class, one from each share. A client address
// with many attempts therefore delays every other address by only one attempt
// (behaviour: sign-in#queue-of-password-checks).
type gate struct {
	limits Limits
	// memory is the memory limit in KiB. A computation that needs more than that runs on its own.
	memory uint64

	mu      sync.Mutex
	running int
	used    uint64
	lines   [classes]line
	next    Class
}

// waiter is a computation that waits to run.
type waiter struct {
	share   Share
	kib     uint64
	granted chan struct{}
}

// line is the queue of one class. order lists each share that is waiting once, in the order in which the shares will
// be served.
type line struct {
	size   int
	shares map[string][]*waiter
	order  []string
}

func newGate(l Limits, memory uint64) *gate {
	g := &gate{limits: l, memory: memory}
	for i := range g.lines {
		g.lines[i].shares = map[string][]*waiter{}
	}
	return g
}

// enter waits until a computation with the given memory may run. The caller must call leave when the computation is
// finished. Errors: ErrBusy; Unavailable if ctx is done first.
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
			g.leave(w) // ctx was done just when the computation was granted
		}
		return nil, gaveUp(ctx)
	}
}

func gaveUp(ctx context.Context) error {
	return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").WithCause(ctx.Err())
}

// push starts w or adds it to its queue. It returns false if the queue is full.
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
		l.order = append(l.order, w.share.Key)
	}
	l.shares[w.share.Key] = append(l.shares[w.share.Key], w)
	l.size++
	g.grant()
	return true
}

func (g *gate) leave(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.used -= w.kib
	g.grant()
}

// grant starts as many waiting computations as possible. If the next one needs more memory than is free, the others
// wait for it, so that it is never starved.
func (g *gate) grant() {
	for g.running < g.limits.AtOnce {
		class, ok := g.nextClass()
		if !ok {
			return
		}
		l := &g.lines[class]
		w := l.shares[l.order[0]][0]
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

// pop removes the next waiter, and moves its share to the end of the order.
func (l *line) pop() {
	key := l.order[0]
	l.order = l.order[1:]
	l.size--
	if rest := l.shares[key][1:]; len(rest) > 0 {
		l.shares[key] = rest
		l.order = append(l.order, key)
		return
	}
	delete(l.shares, key)
}

// remove removes w from its queue. It returns false if w is not waiting.
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
	i := slices.Index(l.order, w.share.Key)
	l.order = slices.Delete(l.order, i, i+1)
	return true
}
