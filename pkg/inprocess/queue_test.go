package inprocess

import (
	"testing"

	"google.golang.org/grpc/mem"

	"vitae.internal/pkg/grpcx"
)

func message(n int) mem.BufferSlice { return mem.BufferSlice{mem.SliceBuffer(make([]byte, n))} }

// full reports whether a message of n bytes finds no room: a sender that may not wait adds it or
// does not.
func full(q *queue, n int) bool {
	never := make(chan struct{})
	close(never)
	return !q.add(message(n), never)
}

func TestASenderIsNoFurtherAheadThanTheWindowOfAStream(t *testing.T) {
	q := newQueue()
	const piece = grpcx.StreamWindow / 4
	for i := range 4 {
		if full(q, piece) {
			t.Fatalf("piece %d finds no room", i)
		}
	}
	if !full(q, 1) {
		t.Fatal("a byte more than the window finds room")
	}
	added := make(chan bool)
	go func() { added <- q.add(message(piece), nil) }()
	if _, _, ok := q.take(nil); !ok {
		t.Fatal("nothing can be taken")
	}
	if !<-added {
		t.Error("what has waited for room is lost")
	}
}

func TestAMessageLargerThanTheWindowGoesAlone(t *testing.T) {
	q := newQueue()
	if full(q, 2*grpcx.StreamWindow) {
		t.Fatal("it finds no room in an empty queue")
	}
	if !full(q, 0) {
		t.Error("another one finds room beside it")
	}
}

func TestMessagesBeforeTheEndOfAStreamAreTaken(t *testing.T) {
	q := newQueue()
	if full(q, 1) || full(q, 2) {
		t.Fatal("no room")
	}
	q.close()
	if !full(q, 3) {
		t.Error("a message is added after the end")
	}
	for _, want := range []int{1, 2} {
		m, _, ok := q.take(nil)
		if !ok || m.Len() != want {
			t.Fatalf("got %d bytes, %t, want %d", m.Len(), ok, want)
		}
	}
	if _, end, ok := q.take(nil); ok || !end {
		t.Errorf("after the last: end %t, message %t", end, ok)
	}
}

func TestBothSidesOfAQueueStopWaitingAtTheEnd(t *testing.T) {
	q := newQueue()
	if full(q, grpcx.StreamWindow) {
		t.Fatal("no room")
	}
	sent, taken := make(chan bool), make(chan bool)
	go func() { sent <- q.add(message(1), nil) }()
	empty := newQueue()
	go func() {
		_, end, _ := empty.take(nil)
		taken <- end
	}()
	q.close()
	empty.close()
	if <-sent {
		t.Error("a message is added after the end")
	}
	if !<-taken {
		t.Error("a side that waits is not told of the end")
	}
}
