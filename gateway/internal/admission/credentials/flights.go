package credentials

import (
	"context"
	"sync"
	"time"

	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// flightTimeout bounds a shared call, which no single request may cancel.
const flightTimeout = 5 * time.Second

// flights lets the requests with one credential share calls to auth, so that a
// Redis that has lost everything does not bring a stampede on auth.
//
// A request never joins a call that has begun: what that call has read may be
// from before a revoke that has answered since. It waits for the next call, which
// begins when the present one ends, with all who have come until then.
type flights struct {
	mu    sync.Mutex
	lines map[presented]*line
}

type presented struct {
	kind int32
	hash sessionrecord.Hash
}

// line is the call under way for one credential, and the one after it.
type line struct {
	next *flight // nil if nobody waits for another call
}

type flight struct {
	ctx    context.Context // that of the first request, for the call's request id
	done   chan struct{}
	record *authv1.SessionRecord
	err    error
}

type resolve func(context.Context) (*authv1.SessionRecord, error)

func newFlights() *flights { return &flights{lines: map[presented]*line{}} }

// do gives the outcome of a call that began after do was called.
func (f *flights) do(ctx context.Context, key presented, call resolve) (*authv1.SessionRecord, error) {
	mine := f.board(ctx, key, call)
	select {
	case <-mine.done:
		return mine.record, mine.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *flights) board(ctx context.Context, key presented, call resolve) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, flying := f.lines[key]
	if !flying {
		first := &flight{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
		f.lines[key] = &line{}
		go f.fly(key, first, call)
		return first
	}
	if l.next == nil {
		l.next = &flight{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
	}
	return l.next
}

// fly makes the call of mine, then those of whoever has come meanwhile.
func (f *flights) fly(key presented, mine *flight, call resolve) {
	for mine != nil {
		ctx, cancel := context.WithTimeout(mine.ctx, flightTimeout)
		mine.record, mine.err = call(ctx)
		cancel()
		close(mine.done)

		f.mu.Lock()
		l := f.lines[key]
		mine, l.next = l.next, nil
		if mine == nil {
			delete(f.lines, key)
		}
		f.mu.Unlock()
	}
}
