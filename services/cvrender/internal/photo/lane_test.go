package photo

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vitae.internal/pkg/clock"
)

// inLine blocks until n callers of a share are waiting.
func inLine(t *testing.T, l *lane, share string, n int) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	never := time.After(20 * time.Second)
	for {
		l.mu.Lock()
		got := len(l.waiting[share])
		l.mu.Unlock()
		if got == n {
			return
		}
		select {
		case <-tick.C:
		case <-never:
			t.Fatalf("%d callers of %s are waiting, want %d", got, share, n)
		}
	}
}

// patient returns a context with a deadline, in case a slot never becomes free.
func patient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func enter(t *testing.T, l *lane, share string) (leave func()) {
	t.Helper()
	leave, err := l.enter(patient(t), share)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func TestShareDelaysOthersByOnePicture(t *testing.T) {
	l := newLane(1)
	leave := enter(t, l, "heavy")
	order := make(chan string)
	come := func(share string) {
		go func() {
			leave, err := l.enter(patient(t), share)
			if err != nil {
				share = err.Error()
			} else {
				defer leave()
			}
			order <- share
		}()
	}
	for i := range 9 {
		come("heavy")
		inLine(t, l, "heavy", i+1)
	}
	come("light")
	inLine(t, l, "light", 1)
	leave()
	if got := <-order; got != "light" {
		t.Errorf("the first share was %s", got)
	}
	for range 9 {
		if got := <-order; got != "heavy" {
			t.Errorf("the next share was %s", got)
		}
	}
}

func TestShareHasOneSlot(t *testing.T) {
	l := newLane(4)
	leave := enter(t, l, "heavy")
	come := make(chan struct{})
	go func() { enter(t, l, "heavy")(); close(come) }()
	inLine(t, l, "heavy", 1)
	for _, other := range []string{"a", "b", "c"} {
		defer enter(t, l, other)()
	}
	leave()
	<-come
}

func TestGivingUpLeavesQueue(t *testing.T) {
	l := newLane(1)
	leave := enter(t, l, "a")
	ctx, giveUp := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() { _, err := l.enter(ctx, "b"); gone <- err }()
	inLine(t, l, "b", 1)
	giveUp()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that gave up got %v", err)
	}
	inLine(t, l, "b", 0)
	leave()
	enter(t, l, "b")()
	for range 64 { // even if a slot is free, a canceled context must always win
		if _, err := l.enter(ctx, "c"); !errors.Is(err, context.Canceled) {
			t.Fatalf("the canceled caller got %v", err)
		}
	}
	if l.free != 1 || len(l.turns)+len(l.waiting)+len(l.inside) != 0 {
		t.Errorf("afterwards %d slots are free, %v are waiting, %v are inside", l.free, l.waiting, l.inside)
	}
}

// TestLaneLosesNoSlot lets callers join, cancel and leave in any order.
func TestLaneLosesNoSlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 3).Draw(t, "places")
		l := newLane(places)
		type caller struct {
			share   string
			granted chan struct{}
		}
		var callers []caller
		in := func(c caller) bool {
			select {
			case <-c.granted:
				return true
			default:
				return false
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"join": func(t *rapid.T) {
				share := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "share")
				callers = append(callers, caller{share, l.join(share)})
			},
			"leave": func(t *rapid.T) {
				if len(callers) == 0 {
					return // there is no caller that could leave
				}
				at := rapid.IntRange(0, len(callers)-1).Draw(t, "who")
				l.giveUp(callers[at].share, callers[at].granted)
				callers = append(callers[:at:at], callers[at+1:]...)
			},
			"": func(t *rapid.T) {
				inside, waiting := map[string]int{}, map[string]int{}
				for _, c := range callers {
					if in(c) {
						inside[c.share]++
					} else {
						waiting[c.share]++
					}
				}
				if l.free+len(inside) != places {
					t.Fatalf("%d slots are free, %v are inside", l.free, inside)
				}
				for share, n := range inside {
					if n > 1 {
						t.Fatalf("%s has %d slots", share, n)
					}
				}
				for share := range waiting {
					if l.free > 0 && inside[share] == 0 {
						t.Fatalf("%s waits although a slot is free", share)
					}
				}
			},
		})
	})
}

func TestSmallPictureDoesNotWaitForLarge(t *testing.T) {
	s := newSource(t, nil, clock.System{})
	for _, busy := range []string{"usr_1", "usr_2"} {
		granted := s.large.join(busy)
		defer s.large.giveUp(busy, granted)
	}
	for _, share := range []string{"usr_1", "usr_3"} {
		if _, err := s.decode(t.Context(), share, pngOf(t, halves(900, 600))); err != nil {
			t.Errorf("%s: %v", share, err)
		}
	}
}

func TestInvalidPictureIsNotQueued(t *testing.T) {
	s := newSource(t, nil, clock.System{})
	defer enter(t, s.small, "usr_1")()
	defer enter(t, s.large, "usr_1")()
	huge := pngOf(t, halves(1, 1))
	binary.BigEndian.PutUint32(huge[16:], 4001)
	binary.BigEndian.PutUint32(huge[20:], 4000)
	for _, file := range [][]byte{huge, []byte("<html>")} {
		if _, err := s.decode(t.Context(), "usr_1", file); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the picture %.6q: %v", file, err)
		}
	}
}
