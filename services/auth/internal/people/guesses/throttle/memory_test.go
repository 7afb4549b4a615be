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

func TestPenaltyDoublesToFiveMinutes(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		0: 0, 4: 0, 5: time.Second, 6: 2 * time.Second, 13: 256 * time.Second, 14: MaxWait, 15: MaxWait, 16: MaxWait, 100: MaxWait, 1 << 20: MaxWait,
	} {
		if got := penalty(failures, FreePerPair); got != want {
			t.Errorf("after %d failures: %v, want %v", failures, got, want)
		}
	}
}

func TestTakeBackNeverGoesBelowZero(t *testing.T) {
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

func TestCountLasts15Minutes(t *testing.T) {
	m := NewMemory()
	m.counts["a"] = Count{7, began}
	if got := m.get("a", began.Add(Window)); got.N != 7 {
		t.Errorf("%+v", got)
	}
	if got := m.get("a", began.Add(Window+1)); got != (Count{}) {
		t.Errorf("later %+v", got)
	}
}

func TestAddressFloodCostsAccuracyNotMemory(t *testing.T) {
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
			t.Errorf("%s: %d counts are left, want %d", name, n, c.want)
		}
	}
	m := fill(maxKeys)
	delete(m.counts, "0")
	if m.makeRoom(began); len(m.counts) != maxKeys-1 {
		t.Errorf("only %d counts are left although there is room", len(m.counts))
	}
}

// down is a shared counter that always fails.
type down struct{ err error }

func (d down) Admit(context.Context, Attempt, time.Time) (time.Duration, error) {
	return time.Hour, d.err
}
func (d down) TakeBack(context.Context, Attempt) error { return d.err }
func (d down) Forgive(context.Context, Attempt) error  { return d.err }

func TestCountsLocallyWhileRedisIsDown(t *testing.T) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	throttle, err := New(Config{Shared: down{errors.New("down")}, Clock: clock.NewFake(began), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	a := NewAttempt("owner@example.com", "203.0.113.7")
	for range 3 * FreePerPair {
		if wait := throttle.Admit(t.Context(), a); wait != 0 {
			t.Fatalf("the attempt waits %v", wait)
		}
		throttle.TakeBack(t.Context(), a)
	}
	for range FreePerPair {
		throttle.Admit(t.Context(), a)
	}
	if wait := throttle.Admit(t.Context(), a); wait != time.Second {
		t.Errorf("the attempt waits %v", wait)
	}
	throttle.Forgive(t.Context(), a)
	if wait := throttle.Admit(t.Context(), a); wait != 0 {
		t.Errorf("after the right password, the attempt waits %v", wait)
	}
	shared, err := New(Config{Shared: down{}, Clock: clock.NewFake(began), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	if wait := shared.Admit(t.Context(), a); wait != time.Hour || len(shared.own.counts) != 0 {
		t.Errorf("while Redis is up: %v, %v", wait, shared.own.counts)
	}
}

// recorder is a shared counter that records its calls.
type recorder struct{ calls []string }

func (r *recorder) Admit(context.Context, Attempt, time.Time) (time.Duration, error) {
	r.calls = append(r.calls, "admit")
	return 0, nil
}
func (r *recorder) TakeBack(context.Context, Attempt) error {
	r.calls = append(r.calls, "take back")
	return nil
}
func (r *recorder) Forgive(context.Context, Attempt) error {
	r.calls = append(r.calls, "forgive")
	return nil
}

func TestSharedCounterSeesEveryCall(t *testing.T) {
	n, c, log := &recorder{}, clock.NewFake(began), slog.New(slog.DiscardHandler)
	throttle, err := New(Config{Shared: n, Clock: c, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	a := NewAttempt("owner@example.com", "203.0.113.7")
	throttle.Admit(t.Context(), a)
	throttle.TakeBack(t.Context(), a)
	throttle.Forgive(t.Context(), a)
	if got := fmt.Sprint(n.calls); got != "[admit take back forgive]" {
		t.Errorf("calls %s", got)
	}
	for _, config := range []Config{{Clock: c, Log: log}, {Shared: n, Log: log}, {Shared: n, Clock: c}} {
		if _, err := New(config); err == nil {
			t.Errorf("New succeeded with %+v", config)
		}
	}
}

func TestForgiveResetsPairAndOneAddressCount(t *testing.T) {
	m, a := NewMemory(), Attempt{Address: "a", Pair: "p"}
	m.counts["a"], m.counts["p"] = Count{4, began}, Count{4, began}
	if err := m.Forgive(t.Context(), a); err != nil || len(m.counts) != 1 || m.counts["a"] != (Count{3, began}) {
		t.Errorf("%v, %v", m.counts, err)
	}
}

func TestWaitingAttemptIsNotCounted(t *testing.T) {
	m, a := NewMemory(), Attempt{Address: "a", Pair: "p"}
	m.counts["p"] = Count{FreePerPair, began}
	if wait, err := m.Admit(t.Context(), a, began); wait != time.Second || err != nil || len(m.counts) != 1 || m.counts["p"] != (Count{FreePerPair, began}) {
		t.Errorf("first attempt waits %v, %v: %v", wait, err, m.counts)
	}
	if wait, err := m.Admit(t.Context(), a, began.Add(time.Second-1)); wait != 1 || err != nil || m.counts["p"].N != FreePerPair {
		t.Errorf("in the last nanosecond, the attempt waits %v, %v: %v", wait, err, m.counts)
	}
	later := began.Add(time.Second)
	if wait, err := m.Admit(t.Context(), a, later); wait != 0 || err != nil || m.counts["p"] != (Count{FreePerPair + 1, later}) || m.counts["a"] != (Count{1, later}) {
		t.Errorf("after the wait, the attempt waits %v, %v: %v", wait, err, m.counts)
	}
}

func TestLongerOfTwoWaitsApplies(t *testing.T) {
	one, two := Count{FreePerPair, began}, Count{FreePerAddress + 1, began}
	if got := Wait(two, one, began); got != 2*time.Second {
		t.Errorf("address wait is longer: %v", got)
	}
	one.N += 3
	if got := Wait(two, one, began); got != 8*time.Second {
		t.Errorf("pair wait is longer: %v", got)
	}
}

func TestThrottleConstants(t *testing.T) {
	if Window != 15*time.Minute || FreePerPair != 5 || FreePerAddress != 100 || MaxWait != 5*time.Minute || maxKeys != 100_000 {
		t.Error(Window, FreePerPair, FreePerAddress, MaxWait, maxKeys)
	}
}

func TestNetworkIsIPv4AddressOrIPv6Prefix(t *testing.T) {
	for ip, want := range map[string]string{
		"203.0.113.7": "203.0.113.7", "::ffff:203.0.113.7": "203.0.113.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2:8000::": "2001:db8:1:2::",
		"fe80::1%eth0": "fe80::", "nowhere": "nowhere", "": "",
	} {
		if got := Network(ip); got != want {
			t.Errorf("%s: %s, want %s", ip, got, want)
		}
	}
	a, other, elsewhere := NewAttempt("a", "203.0.113.7"), NewAttempt("b", "203.0.113.7"), NewAttempt("a", "203.0.113.8")
	if a.Address != other.Address || a.Pair == other.Pair || a.Address == elsewhere.Address || a.Pair == elsewhere.Pair || a.Address[:2] != "a:" || a.Pair[:2] != "p:" || len(a.Pair) != 34 {
		t.Errorf("%+v, %+v, %+v", a, other, elsewhere)
	}
}

func TestAdmitDropsCountsWhenFull(t *testing.T) {
	m := NewMemory()
	for i := range maxKeys {
		m.counts[fmt.Sprint(i)] = Count{1, began}
	}
	if _, err := m.Admit(t.Context(), Attempt{Address: "a", Pair: "p"}, began); err != nil || len(m.counts) > maxKeys*9/10+1 || m.counts["a"].N != 1 || m.counts["p"].N != 1 {
		t.Errorf("%d counts are left, %v", len(m.counts), err)
	}
}
