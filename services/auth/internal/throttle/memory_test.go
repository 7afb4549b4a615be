package throttle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
)

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func TestAPenaltyDoublesUpToFiveMinutes(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		0: 0, 4: 0, 5: time.Second, 6: 2 * time.Second, 13: 256 * time.Second, 14: MaxWait, 15: MaxWait, 16: MaxWait, 100: MaxWait, 1 << 20: MaxWait,
	} {
		if got := penalty(failures, FreePerPair); got != want {
			t.Errorf("after %d failures: %v, want %v", failures, got, want)
		}
	}
}

func TestACountThatIsTakenBackOnceTooOftenIsGone(t *testing.T) {
	m, a := NewMemory(), Attempt{Address: "a", Pair: "p"}
	for n := range 3 {
		if _, err := m.Admit(t.Context(), a, began); err != nil || m.counts["a"].N != n+1 {
			t.Fatal(m.counts, err)
		}
	}
	for n := 2; n > 0; n-- {
		if err := m.TakeBack(t.Context(), a); err != nil || m.counts["a"] != (Count{n, began}) || m.counts["p"] != (Count{n, began}) {
			t.Errorf("%v, %v", m.counts, err)
		}
	}
	for range 2 {
		if err := m.TakeBack(t.Context(), a); err != nil || len(m.counts) != 0 {
			t.Errorf("%v, %v", m.counts, err)
		}
	}
}

func TestACountLastsForAQuarterOfAnHour(t *testing.T) {
	m := NewMemory()
	m.counts["a"] = Count{7, began}
	if got := m.get("a", began.Add(Window)); got.N != 7 {
		t.Errorf("%+v", got)
	}
	if got := m.get("a", began.Add(Window+1)); got != (Count{}) {
		t.Errorf("later %+v", got)
	}
}

func TestAFloodOfAddressesCostsAccuracyNotMemory(t *testing.T) {
	fill := func(old int) *Memory {
		m := NewMemory()
		for i := range maxKeys {
			last := began
			if i < old {
				last = began.Add(-Window - 1)
			}
			m.counts[fmt.Sprint(i)] = Count{1, last}
		}
		return m
	}
	for name, c := range map[string]struct{ old, want int }{
		"all recent": {0, maxKeys*9/10 - 1}, "half of them old": {maxKeys / 2, maxKeys / 2}, "few old": {10, maxKeys*9/10 - 1},
	} {
		m := fill(c.old)
		m.makeRoom(began)
		if n := len(m.counts); n != c.want {
			t.Errorf("%s: %d are left, want %d", name, n, c.want)
		}
	}
	m := fill(maxKeys)
	delete(m.counts, "0")
	if m.makeRoom(began); len(m.counts) != maxKeys-1 {
		t.Errorf("%d are left although there is room", len(m.counts))
	}
}

// down is a shared counter that does not answer.
type down struct{ err error }

func (d down) Admit(context.Context, Attempt, time.Time) (time.Duration, error) {
	return time.Hour, d.err
}
func (d down) TakeBack(context.Context, Attempt) error { return d.err }
func (d down) Forgive(context.Context, Attempt) error  { return d.err }

func TestAProcessCountsByItselfWhileTheSharedCounterIsDown(t *testing.T) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	throttle, err := New(Config{Shared: down{errors.New("down")}, Clock: clock.NewFake(began), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	a := NewAttempt("owner@example.com", "203.0.113.7")
	for range 3 * FreePerPair {
		if wait := throttle.Admit(t.Context(), a); wait != 0 {
			t.Fatalf("it waits %v", wait)
		}
		throttle.TakeBack(t.Context(), a)
	}
	for range FreePerPair {
		throttle.Admit(t.Context(), a)
	}
	if wait := throttle.Admit(t.Context(), a); wait != time.Second {
		t.Errorf("it waits %v", wait)
	}
	throttle.Forgive(t.Context(), a)
	if wait := throttle.Admit(t.Context(), a); wait != 0 {
		t.Errorf("after the right password it waits %v", wait)
	}
	shared, err := New(Config{Shared: down{}, Clock: clock.NewFake(began), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	if wait := shared.Admit(t.Context(), a); wait != time.Hour || len(shared.own.counts) != 0 {
		t.Errorf("while it answers: %v, %v", wait, shared.own.counts)
	}
}
