package ceiling

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// account simulates one account and all browsers that try to sign in to it.
type account struct {
	budgets State
	turns   map[string]*Turn
	// checked lists the times of the password checks. All passwords are wrong.
	checked []time.Time
}

func newAccount() *account { return &account{turns: map[string]*Turn{}} }

// try makes an attempt in a browser whose cookie was set at since. If since is zero, the browser has no cookie.
func (a *account) try(browser string, since, now time.Time) (decision, time.Duration) {
	a.budgets.Turn = a.turns[browser]
	after, w, wait := a.budgets.admit(since, now)
	if after.Turn != nil {
		a.turns[browser] = after.Turn
	}
	a.budgets = after
	if w != refused {
		a.checked = append(a.checked, now)
	}
	return w, wait
}

// most returns the highest number of password checks in any hour.
func (a *account) most() (most int) {
	first := 0
	for i, at := range a.checked {
		for !at.Before(a.checked[first].Add(time.Hour)) {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

func TestImpatientFloodUsesNoTurns(t *testing.T) {
	a := newAccount()
	now := start
	for range 9_999 { // an hour later, the 10,000th would be granted, because the open budget would have regained an attempt
		a.try("", time.Time{}, now)
		now = now.Add(360 * time.Millisecond)
	}
	if n := len(a.checked); n > OpenBurst+10 {
		t.Errorf("%d passwords were checked", n)
	}
	if w, wait := a.try("owner", time.Time{}, now); w != refused || wait != Patience {
		t.Fatalf("the owner's attempt: %v, waits %v", w, wait)
	}
	if w, wait := a.try("owner", now, now.Add(Patience)); w == refused {
		t.Errorf("after the wait, the owner waits another %v", wait)
	}
}

// Guessers may wait or not, retry in time or late, and use one cookie or many. In any case, at most 73 passwords are
// checked in any hour, and every reserved turn is granted.
func TestHourlyLimitHoldsAndTurnsAreGranted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newAccount()
		now := start
		since, promised := map[string]time.Time{}, map[string]time.Time{}
		browsers := rapid.IntRange(1, 200).Draw(t, "browsers")
		for range rapid.IntRange(1, 600).Draw(t, "attempts") {
			now = now.Add(time.Duration(rapid.IntRange(0, 90_000).Draw(t, "ms")) * time.Millisecond)
			browser := fmt.Sprint(rapid.IntRange(1, browsers).Draw(t, "browser"))
			w, wait := a.try(browser, since[browser], now)
			due, kept := promised[browser]
			if kept && !now.Before(due) && now.Before(due.Add(Hold)) && w == refused {
				t.Fatalf("%s reserved a turn at %v, but must wait another %v at %v", browser, due, wait, now)
			}
			delete(promised, browser)
			switch {
			case w == refused && wait <= 0:
				t.Fatal("rejected without a wait")
			case w == refused && a.turns[browser] != nil && a.turns[browser].Booked && now.Before(a.turns[browser].DueAt):
				promised[browser] = now.Add(wait)
			}
			if since[browser].IsZero() || w == refused && rapid.Bool().Draw(t, "keeps the newest cookie") {
				since[browser] = now
			}
		}
		if n := a.most(); n > 73 {
			t.Fatalf("%d checks in an hour", n)
		}
	})
}

// Ten thousand browsers always wait as long as they are asked to. They get no more checks than other browsers, and
// no wait is longer than an hour and the time for one more turn.
func TestPatientGuessersStayUnderTheCeiling(t *testing.T) {
	a := newAccount()
	type guesser struct {
		name  string
		since time.Time
		next  time.Time
	}
	var all []*guesser
	for i := range 10_000 {
		all = append(all, &guesser{name: fmt.Sprint(i), next: start.Add(time.Duration(i) * 360 * time.Millisecond)})
	}
	longest := time.Duration(0)
	for now := start; now.Before(start.Add(3 * time.Hour)); now = now.Add(10 * time.Second) {
		for _, g := range all {
			if g.next.After(now) {
				continue
			}
			_, wait := a.try(g.name, g.since, now)
			g.since = now
			longest = max(longest, wait)
			g.next = now.Add(wait + time.Second)
		}
	}
	if n := a.most(); n > 73 || n < 40 {
		t.Errorf("%d checks in an hour", n)
	}
	if longest > Ahead+TurnEvery {
		t.Errorf("the longest wait is %v", longest)
	}
}

// Guessers that don't wait get no turns, whichever cookies they send.
func TestImpatientBrowsersGetNoTurns(t *testing.T) {
	a := newAccount()
	since := map[string]time.Time{}
	now := start
	for i := range 10_000 {
		browser := fmt.Sprint(i % 100)
		if w, _ := a.try(browser, since[browser], now); w == turn {
			t.Fatal("an impatient browser got a turn")
		}
		since[browser] = now
		now = now.Add(360 * time.Millisecond)
	}
	_, wait := a.try("owner", time.Time{}, now.Add(time.Millisecond))
	if wait > Patience {
		t.Errorf("the owner must wait %v", wait)
	}
}

// A guesser that always sends the same cookie must not be able to use up the turns that the owner needs.
func TestOneBrowserCannotTakeAllTurns(t *testing.T) {
	a := newAccount()
	now := start
	for range 3600 {
		a.try("guesser", start.Add(-time.Hour), now)
		now = now.Add(time.Second)
	}
	if n := len(a.checked); n > OpenBurst+10+8 {
		t.Errorf("%d passwords were checked", n)
	}
	a.try("owner", time.Time{}, now)
	if w, wait := a.try("owner", now, now.Add(Patience)); w != turn {
		t.Errorf("the owner must wait another %v", wait)
	}
}

// exhausted returns the state of an account whose open budget will be exhausted for a long time.
func exhausted() State { return State{OpenUntil: start.Add(240 * time.Hour)} }

func TestFirstWaitIncludesBookedTurns(t *testing.T) {
	s := exhausted()
	s.TurnsUntil = start.Add(30 * time.Minute)
	_, w, wait := s.admit(time.Time{}, start)
	if want := 30*time.Minute + TurnEvery - TurnBurst*TurnEvery; w != refused || wait != want {
		t.Errorf("waits %v, want %v", wait, want)
	}
}

// rest returns how long a browser must wait after the given number of failed turns, together with the state and time
// after them.
func rest(s State, times int, at time.Time) (State, time.Duration, time.Time) {
	for range times {
		for {
			after, w, wait := s.admit(start.Add(-time.Hour), at)
			if s = after; w == turn {
				break
			}
			at = at.Add(wait)
		}
	}
	_, _, wait := s.admit(start.Add(-time.Hour), at)
	return s, wait, at
}

func TestDelayDoublesAfterFailedTurns(t *testing.T) {
	for times, want := range map[int]time.Duration{1: 1, 2: 2, 3: 4, 6: 32, 9: 32} {
		if _, got, _ := rest(exhausted(), times, start); got != want*time.Minute {
			t.Errorf("after %d turns the delay is %v", times, got)
		}
	}
	s, _, at := rest(exhausted(), 5, start)
	if _, got, _ := rest(s, 1, at.Add(Forget+MaxRest)); got != time.Minute {
		t.Errorf("the delay is not reset after some hours: %v", got)
	}
	s, w, _ := exhausted().admit(start.Add(-time.Hour), start)
	if _, got, _ := rest(s.takenBack(w, start), 1, start); got != time.Minute {
		t.Errorf("after a turn without a check the delay is %v", got)
	}
}

func TestRightPasswordIsNotCharged(t *testing.T) {
	s := State{}
	for i := range 1000 {
		after, w, _ := s.admit(time.Time{}, start)
		if w != open {
			t.Fatalf("sign-in %d: %v", i, w)
		}
		s = after.forgiven(w)
	}
	// A turn with the right password is removed, so later failures start from zero.
	s = State{OpenUntil: start.Add(OpenBurst * OpenEvery)}
	after, w, _ := s.admit(start.Add(-time.Hour), start)
	if w != turn || after.forgiven(w).Turn != nil {
		t.Errorf("%v, %+v", w, after)
	}
}

func TestUncheckedAttemptIsTakenBack(t *testing.T) {
	after, w, _ := State{}.admit(time.Time{}, start)
	if again := after.takenBack(w, start); again.OpenUntil.After(start) {
		t.Errorf("open budget: %+v", again)
	}
	full := State{OpenUntil: start.Add(OpenBurst * OpenEvery)}
	after, w, _ = full.admit(start.Add(-time.Hour), start)
	if w != turn {
		t.Fatal("the browser got no turn")
	}
	if again, w, _ := after.takenBack(w, start).admit(start.Add(-time.Hour), start); w != turn || again.TurnsUntil != after.TurnsUntil {
		t.Errorf("turn: %v, %+v", w, again)
	}
}

func TestMissedTurnExpires(t *testing.T) {
	s := State{OpenUntil: start.Add(24 * time.Hour), TurnsUntil: start.Add(time.Hour)}
	s, w, wait := s.admit(start.Add(-time.Hour), start)
	if w != refused || !s.Turn.Booked {
		t.Fatalf("%v", w)
	}
	due := start.Add(wait)
	if _, w, _ := s.admit(start, due.Add(Hold-time.Second)); w != turn {
		t.Error("the turn expired early")
	}
	again, w, _ := s.admit(start, due.Add(Hold))
	if w == turn && again.TurnsUntil.Equal(s.TurnsUntil) {
		t.Error("a missed turn is still valid, so turns could be saved up")
	}
}

// The limit of 73 checks per hour depends on these values (behaviour: sign-in#limit-on-guesses-per-account).
func TestCeilingConstants(t *testing.T) {
	for name, c := range map[string][2]time.Duration{
		"open burst": {OpenBurst, 10}, "open every": {OpenEvery, 6 * time.Minute}, "turn burst": {TurnBurst, 3}, "turn every": {TurnEvery, 90 * time.Second},
		"patience": {Patience, time.Minute}, "ahead": {Ahead, time.Hour}, "hold": {Hold, 15 * time.Minute}, "rest": {MaxRest, 32 * time.Minute}, "forget": {Forget, 2 * time.Hour},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
}

func TestAdmittedAttemptHasNoWait(t *testing.T) {
	for name, c := range map[string]struct {
		state State
		want  decision
	}{
		"open budget":    {State{}, open},
		"turn":           {exhausted(), turn},
		"booked turn":    {State{OpenUntil: exhausted().OpenUntil, Turn: &Turn{DueAt: start, Booked: true}}, turn},
		"unbooked turn":  {State{OpenUntil: exhausted().OpenUntil, Turn: &Turn{DueAt: start}}, turn},
		"last free turn": {State{OpenUntil: exhausted().OpenUntil, TurnsUntil: start.Add((TurnBurst - 1) * TurnEvery)}, turn},
	} {
		if _, w, wait := c.state.admit(start.Add(-time.Hour), start); w != c.want || wait != 0 {
			t.Errorf("%s: %v, waits %v", name, w, wait)
		}
	}
}

func TestDelayIsCapped(t *testing.T) {
	for _, failures := range []int{6, 7, 11, 12, 28, 29, 64, 65, 1000} {
		if got := (State{}).used(failures, start).Turn; got.DueAt != start.Add(32*time.Minute) || got.Failures != failures || got.Booked {
			t.Errorf("after %d failures: %+v", failures, got)
		}
	}
}
