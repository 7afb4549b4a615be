package credentials

import (
	"context"
	"sync"
	"time"

	"vitae.internal/pkg/credential"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// flightTimeout limits how long a shared call may take. Canceling one of the requests that share it does not
// cancel the call.
const flightTimeout = 5 * time.Second

// flights lets requests with the same credential share calls to the auth service, so that the service is not
// flooded when Redis has lost all records.
//
// A request never joins a call that has already started, because that call may have read the state before a
// revocation that has completed since then. Instead, the request waits for the next call, which starts when the
// current one returns and serves all requests that are waiting by then. singleflight joins calls in progress,
// so it cannot be used here.
type flights struct {
	mu     sync.Mutex
	queues map[presented]*queue
}

type presented struct {
	kind int32
	hash credential.Digest
}

// queue holds the next call for a credential that has a call in progress.
type queue struct {
	next *flight // nil if no request waits
}

type flight struct {
	ctx    context.Context // context of the first request, which contains the request id
	done   chan struct{}
	record *authv1.SessionRecord
	err    error
}

type resolve func(context.Context) (*authv1.SessionRecord, error)

func newFlights() *flights { return &flights{queues: map[presented]*queue{}} }

// do returns the result of a call that begins after do was called.
func (f *flights) do(ctx context.Context, key presented, call resolve) (*authv1.SessionRecord, error) {
	mine := f.join(ctx, key, call)
	select {
	case <-mine.done:
		return mine.record, mine.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *flights) join(ctx context.Context, key presented, call resolve) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	q, running := f.queues[key]
	if !running {
		first := &flight{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
		f.queues[key] = &queue{}
		go f.run(key, first, call)
		return first
	}
	if q.next == nil {
		q.next = &flight{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
	}
	return q.next
}

// run makes the call for mine, and then a call for the requests that have arrived in the meantime.
func (f *flights) run(key presented, mine *flight, call resolve) {
	for mine != nil {
		ctx, cancel := context.WithTimeout(mine.ctx, flightTimeout)
		mine.record, mine.err = call(ctx)
		cancel()
		close(mine.done)

		f.mu.Lock()
		q := f.queues[key]
		mine, q.next = q.next, nil
		if mine == nil {
			delete(f.queues, key)
		}
		f.mu.Unlock()
	}
}
