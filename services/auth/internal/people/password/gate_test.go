package password

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"vitae.internal/pkg/errs"
)

// scene is a gate with fake computations, each of which runs until the test calls s.ends. The test runs in a
// synctest bubble, where Wait returns once all goroutines are blocked.
type scene struct {
	*testing.T
	gate *gate
	mu   sync.Mutex
	// inside lists the running computations, in the order in which they were started.
	inside []string
	busy   []string
	end    map[string]chan struct{}
}

func at(t *testing.T, l Limits, memory uint64, story func(s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t, gate: newGate(l, memory), end: map[string]chan struct{}{}}
		story(s)
		for len(s.inside) > 0 {
			s.ends(s.inside[0])
		}
	})
}

// comes starts a goroutine for a computation and returns when the computation is running, waiting or rejected.
func (s *scene) comes(ctx context.Context, name string, share Share, kib uint64) {
	end := make(chan struct{})
	s.end[name] = end
	go func() {
		leave, err := s.gate.enter(ctx, share, kib)
		switch {
		case errors.Is(err, ErrBusy):
			s.note(func() { s.busy = append(s.busy, name) })
		case err == nil:
			s.note(func() { s.inside = append(s.inside, name) })
			<-end
			s.note(func() { s.inside = slices.DeleteFunc(s.inside, func(other string) bool { return other == name }) })
			leave()
		}
	}()
	synctest.Wait()
}

func (s *scene) note(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *scene) ends(name string) {
	close(s.end[name])
	synctest.Wait()
}

// order ends the running computations one after another until none is left. It returns the order in which they ran.
// Only one of them runs at a time.
func (s *scene) order() (names []string) {
	for len(s.inside) > 0 {
		names = append(names, s.inside[0])
		s.ends(s.inside[0])
	}
	return names
}

func stranger(address string) Share { return Share{Class: Strangers, Key: address} }

func TestBusyAddressDelaysOthersByOne(t *testing.T) {
	at(t, Limits{AtOnce: 1, Waiting: 100, PerShare: 50}, 1000, func(s *scene) {
		for i := range 20 {
			s.comes(s.Context(), fmt.Sprint("flood ", i), stranger("198.51.100.1"), 1)
		}
		s.comes(s.Context(), "one", stranger("203.0.113.1"), 1)
		s.comes(s.Context(), "two", stranger("203.0.113.2"), 1)
		got := s.order()
		if want := []string{"flood 0", "flood 1", "one", "two", "flood 2", "flood 3"}; !slices.Equal(got[:6], want) || len(got) != 22 {
			s.Errorf("in the order %v", got)
		}
	})
}

func TestOneAddressCannotFillTheQueue(t *testing.T) {
	at(t, Limits{AtOnce: 1, Waiting: 16, PerShare: 2}, 1000, func(s *scene) {
		for i := range 100 {
			s.comes(s.Context(), fmt.Sprint("flood ", i), stranger("198.51.100.1"), 1)
		}
		if len(s.busy) != 97 { // one is running and two are waiting
			s.Errorf("%d attempts rejected", len(s.busy))
		}
		s.busy = nil
		for i := range 7 {
			s.comes(s.Context(), fmt.Sprint("honest ", i), stranger(fmt.Sprint("203.0.113.", i)), 1)
		}
		if len(s.busy) != 0 {
			s.Errorf("rejected %v", s.busy)
		}
	})
}

func TestFullQueueReturnsRetryAfter(t *testing.T) {
	at(t, Limits{AtOnce: 1, Waiting: 3, PerShare: 2}, 1000, func(s *scene) {
		for i := range 10 {
			s.comes(s.Context(), fmt.Sprint(i), stranger(fmt.Sprint("203.0.113.", i)), 1)
		}
		if !slices.Equal(s.busy, []string{"4", "5", "6", "7", "8", "9"}) {
			s.Errorf("rejected %v", s.busy)
		}
		_, err := s.gate.enter(s.Context(), stranger("203.0.113.99"), 1)
		if e, ok := errs.As(err); !ok || e.Kind != errs.Exhausted || e.RetryAfter <= 0 {
			s.Errorf("rejected with %v", err)
		}
	})
}

func TestFloodDoesNotStarveKnownBrowsers(t *testing.T) {
	at(t, Limits{AtOnce: 1, Waiting: 20, PerShare: 2}, 1000, func(s *scene) {
		for i := range 50 { // each from a different IP address
			s.comes(s.Context(), fmt.Sprint("flood ", i), stranger(fmt.Sprint("198.51.100.", i)), 1)
		}
		for i := range 5 {
			s.comes(s.Context(), fmt.Sprint("import ", i), Share{Class: Creations}, 1)
		}
		s.comes(s.Context(), "owner", Share{Class: Known, Key: "owner@example.com"}, 1)
		if slices.Contains(s.busy, "owner") || slices.Contains(s.busy, "import 0") {
			s.Fatalf("rejected %v", s.busy)
		}
		got := s.order()
		if position := slices.Index(got, "owner"); position < 0 || position > 3 {
			s.Errorf("the owner is number %d of %v", position, got)
		}
		if position := slices.Index(got, "import 4"); position < 0 || position > 15 {
			s.Errorf("the import ends as number %d of %v", position, got)
		}
	})
}

func TestExpensiveHashIsNotStarved(t *testing.T) {
	at(t, Limits{AtOnce: 4, Waiting: 20, PerShare: 20}, 40, func(s *scene) {
		s.comes(s.Context(), "a", stranger("a"), 10)
		s.comes(s.Context(), "b", stranger("b"), 10)
		s.comes(s.Context(), "dear", stranger("c"), 100) // this exceeds the memory limit, so it runs on its own
		s.comes(s.Context(), "d", stranger("d"), 10)
		if !slices.Equal(s.inside, []string{"a", "b"}) {
			s.Fatalf("inside %v", s.inside)
		}
		s.ends("a")
		s.ends("b")
		if !slices.Equal(s.inside, []string{"dear"}) {
			s.Fatalf("inside %v", s.inside)
		}
		s.ends("dear")
		s.comes(s.Context(), "e", stranger("e"), 10)
		if !slices.Equal(s.inside, []string{"d", "e"}) {
			s.Fatalf("inside %v", s.inside)
		}
	})
}

func TestCanceledWhenGrantedFreesItsSlot(t *testing.T) {
	at(t, Limits{AtOnce: 1, Waiting: 2, PerShare: 2}, 1000, func(s *scene) {
		for i := range 200 { // the order of the two events is random, so many attempts are needed
			ctx, cancel := context.WithCancel(s.Context())
			runs, goes, next := fmt.Sprint("runs ", i), fmt.Sprint("goes ", i), fmt.Sprint("next ", i)
			s.comes(s.Context(), runs, stranger("a"), 1)
			s.comes(ctx, goes, stranger("b"), 1)
			cancel()
			s.ends(runs)
			s.ends(goes) // it may already have been started
			s.comes(s.Context(), next, stranger("c"), 1)
			if !slices.Equal(s.inside, []string{next}) {
				s.Fatalf("inside %v", s.inside)
			}
			s.ends(next)
		}
	})
}

func TestCanceledWaiterLeavesTheQueue(t *testing.T) {
	at(t, Limits{AtOnce: 1, Waiting: 2, PerShare: 2}, 1000, func(s *scene) {
		ctx, cancel := context.WithCancel(s.Context())
		s.comes(s.Context(), "runs", stranger("a"), 1)
		s.comes(ctx, "gone 1", stranger("b"), 1)
		s.comes(ctx, "gone 2", stranger("b"), 1)
		cancel()
		synctest.Wait()
		s.comes(s.Context(), "x", stranger("c"), 1)
		s.comes(s.Context(), "y", stranger("b"), 1)
		if got := s.order(); len(s.busy) != 0 || !slices.Equal(got, []string{"runs", "x", "y"}) {
			s.Errorf("order %v, rejected %v", got, s.busy)
		}
	})
}

func TestWaitingClassesAlternate(t *testing.T) {
	for first := range classes {
		for second := range classes {
			if first == second {
				continue
			}
			at(t, Limits{AtOnce: 1, Waiting: 20, PerShare: 20}, 1000, func(s *scene) {
				s.comes(s.Context(), "runs", Share{Class: first, Key: "k"}, 1)
				for i := range 3 {
					s.comes(s.Context(), fmt.Sprint("a", i), Share{Class: first, Key: "k"}, 1)
				}
				for i := range 3 {
					s.comes(s.Context(), fmt.Sprint("b", i), Share{Class: second, Key: "k"}, 1)
				}
				if got := s.order(); !slices.Equal(got, []string{"runs", "b0", "a0", "b1", "a1", "b2", "a2"}) {
					s.Errorf("classes %d and %d in the order %v", first, second, got)
				}
			})
		}
	}
}

func TestMemoryLimitsRunningComputations(t *testing.T) {
	at(t, Limits{AtOnce: 10, Waiting: 20, PerShare: 20}, 40, func(s *scene) {
		for i := range 7 {
			s.comes(s.Context(), fmt.Sprint(i), stranger("a"), 10)
		}
		if !slices.Equal(s.inside, []string{"0", "1", "2", "3"}) {
			s.Errorf("inside %v", s.inside)
		}
		s.ends("2")
		if !slices.Equal(s.inside, []string{"0", "1", "3", "4"}) {
			s.Errorf("inside %v", s.inside)
		}
	})
}
