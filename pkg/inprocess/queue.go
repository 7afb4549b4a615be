package inprocess

import (
	"sync"

	"google.golang.org/grpc/mem"

	"vitae.internal/pkg/grpcx"
)

// queue has the messages of one direction of a stream that the other side has not taken yet.
// One goroutine may add to it and one may take from it at a time, as gRPC asks of streams.
type queue struct {
	mu       sync.Mutex
	messages []mem.BufferSlice
	bytes    int
	closed   bool
	// added and taken wake the side that waits.
	added, taken chan struct{}
}

func newQueue() *queue {
	return &queue{added: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
}

// add waits until there is room, as the window of a stream makes a sender wait over the wire.
// It reports whether the message was added: not after close, nor when done ends before there is
// room. It takes the message over either way.
func (q *queue) add(m mem.BufferSlice, done <-chan struct{}) bool {
	n := m.Len()
	for {
		q.mu.Lock()
		room := len(q.messages) == 0 || q.bytes+n <= grpcx.StreamWindow
		closed := q.closed
		if room && !closed {
			q.messages, q.bytes = append(q.messages, m), q.bytes+n
			q.mu.Unlock()
			wake(q.added)
			return true
		}
		q.mu.Unlock()
		if !closed {
			select {
			case <-q.taken:
				continue
			case <-done:
			}
		}
		m.Free()
		return false
	}
}

// take waits for a message. It gives none after the last one of a closed queue, or when done
// ends; only the first is the end of the messages.
func (q *queue) take(done <-chan struct{}) (m mem.BufferSlice, end bool, ok bool) {
	for {
		q.mu.Lock()
		if len(q.messages) > 0 {
			m = q.messages[0]
			q.messages[0] = nil
			q.messages, q.bytes = q.messages[1:], q.bytes-m.Len()
			q.mu.Unlock()
			wake(q.taken)
			return m, false, true
		}
		closed := q.closed
		q.mu.Unlock()
		if closed {
			return nil, true, false
		}
		select {
		case <-q.added:
		case <-done:
			return nil, false, false
		}
	}
}

// close says that no message follows.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	wake(q.added)
	wake(q.taken)
}

func wake(waiting chan<- struct{}) {
	select {
	case waiting <- struct{}{}:
	default: // it has not looked since it was woken
	}
}
