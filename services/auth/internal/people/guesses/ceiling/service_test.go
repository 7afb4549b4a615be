package ceiling

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
)

// accounts is an in-memory Store that counts changes and can be made to fail.
type accounts struct {
	states        map[Key]State
	changes       int
	reads, writes error
}

func (a *accounts) Ceiling(_ context.Context, k Key) (State, error) { return a.states[k], a.reads }

func (a *accounts) ChangeCeiling(_ context.Context, k Key, change func(State) State) error {
	if a.writes != nil {
		return a.writes
	}
	a.changes++
	a.states[k] = change(a.states[k])
	return nil
}

func serviceOn(t *testing.T, a *accounts) (*Service, *clock.Fake) {
	t.Helper()
	c := clock.NewFake(start)
	s, err := NewService(Config{Store: a, Clock: c, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func empty() *accounts { return &accounts{states: map[Key]State{}} }

func admits(t *testing.T, s *Service, a Attempt) (Admission, time.Duration) {
	t.Helper()
	got, wait, err := s.Admit(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return got, wait
}

func TestAdmissionCountsUntilTakenBack(t *testing.T) {
	owner := Attempt{EmailKey: "owner@example.com", Device: "laptop", Since: start}
	for name, takeBack := range map[string]func(*Service, Admission){
		"right":       func(s *Service, a Admission) { s.Forgive(t.Context(), a) },
		"not checked": func(s *Service, a Admission) { s.TakeBack(t.Context(), a) },
	} {
		s, _ := serviceOn(t, empty())
		for i := range 3 * OpenBurst {
			a, wait := admits(t, s, owner)
			if wait != 0 {
				t.Fatalf("%s: attempt %d must wait %v", name, i, wait)
			}
			takeBack(s, a)
		}
		for range OpenBurst {
			admits(t, s, owner)
		}
		if _, wait := admits(t, s, owner); wait != Patience {
			t.Errorf("%s: the counted attempts are lost: wait of %v", name, wait)
		}
		if _, wait := admits(t, s, Attempt{EmailKey: "other@example.com", Device: "laptop", Since: start}); wait != 0 {
			t.Errorf("%s: a different account must wait %v", name, wait)
		}
	}
}

func TestRejectedFloodChangesNothing(t *testing.T) {
	a := empty()
	s, _ := serviceOn(t, a)
	stranger := Attempt{EmailKey: "owner@example.com"}
	for range OpenBurst {
		admits(t, s, stranger)
	}
	before := a.changes
	for range 100 {
		if _, wait := admits(t, s, stranger); wait != Patience {
			t.Fatalf("the attempt must wait %v", wait)
		}
	}
	if before != OpenBurst || a.changes != before {
		t.Errorf("%d attempts changed the state %d times, 100 rejected ones %d times", OpenBurst, before, a.changes-before)
	}
}

// The time in a cookie comes from another machine, whose clock may be ahead. Without a cookie, waiting doesn't
// count.
func TestWaitingTimeComesFromTheCookie(t *testing.T) {
	for name, c := range map[string]struct {
		device string
		since  time.Duration // before the attempt
		wait   time.Duration
	}{
		"long enough":           {"laptop", Patience, 0},
		"not long enough":       {"laptop", Patience - time.Second, Patience},
		"no time":               {"laptop", 0, Patience},
		"a clock that is ahead": {"laptop", -time.Hour, Patience},
		"no cookie":             {"", Patience, Patience},
	} {
		a := empty()
		s, now := serviceOn(t, a)
		attempt := Attempt{EmailKey: "owner@example.com", Device: c.device}
		for range OpenBurst {
			admits(t, s, attempt)
		}
		if name != "no time" {
			attempt.Since = now.Now().Add(-c.since)
		}
		if _, wait := admits(t, s, attempt); wait != c.wait {
			t.Errorf("%s: waits %v, want %v", name, wait, c.wait)
		}
	}
}

func TestStoreErrorAdmitsNoAttempt(t *testing.T) {
	down := errors.New("down")
	for name, a := range map[string]*accounts{
		"read": {states: map[Key]State{}, reads: down}, "write": {states: map[Key]State{}, writes: down},
	} {
		s, _ := serviceOn(t, a)
		if got, wait, err := s.Admit(t.Context(), Attempt{EmailKey: "a"}); !errors.Is(err, down) || wait != 0 || got != (Admission{}) {
			t.Errorf("%s: %+v, %v, %v", name, got, wait, err)
		}
		s.Forgive(t.Context(), Admission{})
		s.TakeBack(t.Context(), Admission{})
	}
}

// A browser whose cookie has no valid time keeps the turn that it has reserved.
func TestBookedTurnSurvivesALostCookieTime(t *testing.T) {
	for name, since := range map[string]time.Time{"no time": {}, "a clock that is ahead": start.Add(time.Hour), "a time": start.Add(-time.Minute)} {
		a := empty()
		s, now := serviceOn(t, a)
		attempt := Attempt{EmailKey: "owner@example.com", Device: "laptop", Since: since}
		a.states[attempt.key()] = State{OpenUntil: start.Add(24 * time.Hour), Turn: &Turn{DueAt: now.Now().Add(20 * time.Minute), Booked: true}}
		if _, wait := admits(t, s, attempt); wait != 20*time.Minute {
			t.Errorf("%s: the browser must wait %v", name, wait)
		}
	}
}
