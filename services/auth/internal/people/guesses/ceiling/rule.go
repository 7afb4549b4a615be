package ceiling

import "time"

// These limits allow at most 73 password checks per account in any hour: 10 + 10 from the open budget, 3 + 40 turns,
// and 10 turns that were reserved earlier and are still valid.
const (
	// OpenBurst is the size of the open budget. Every OpenEvery, the budget regains one attempt.
	OpenBurst = 10
	OpenEvery = 6 * time.Minute
	// TurnBurst is the size of the budget of turns. Every TurnEvery, the budget regains one turn.
	TurnBurst = 3
	TurnEvery = 90 * time.Second
	// Patience is how long a browser must wait, without making another attempt, before it gets a turn.
	Patience = time.Minute
	// Ahead is how far in advance a turn can be reserved.
	Ahead = time.Hour
	// Hold is how long a reserved turn stays valid after it is due.
	Hold = 15 * time.Minute
	// MaxRest is the maximum delay after a failed turn. The delay starts at one minute and doubles with each
	// failure, so that one browser cannot use up all turns.
	MaxRest = 32 * time.Minute
	// Forget is how long a browser's failures are remembered after its last turn.
	Forget = 2 * time.Hour
)

// State holds how much of an account's budgets has been used, and the turn of one browser.
type State struct {
	// OpenUntil and TurnsUntil are when the budgets will be full again.
	OpenUntil, TurnsUntil time.Time
	// Turn is nil for a browser that has no turn.
	Turn *Turn
}

// Turn is a reservation of one attempt from the second budget for one browser.
type Turn struct {
	// DueAt is when the browser may make its next attempt.
	DueAt time.Time
	// Booked reports whether the attempt at DueAt has already been charged to the budget.
	Booked bool
	// Failures is the number of failed turns.
	Failures int
}

// decision says whether an attempt is refused or, if not, to which budget it is charged.
type decision int

const (
	refused decision = iota
	open
	turn
)

// admit decides whether to check the password of an attempt. since is when the browser started to wait, or zero if
// it isn't waiting; a browser that retries too early starts to wait again. admit returns the new state and, for a
// refused attempt, how long to wait.
func (s State) admit(since, now time.Time) (State, decision, time.Duration) {
	if until := later(s.OpenUntil, now).Add(OpenEvery); !until.After(now.Add(OpenBurst * OpenEvery)) {
		s.OpenUntil = until
		return s, open, 0
	}
	ready, booked, failures := now.Add(Patience), false, 0
	if !since.IsZero() {
		if !now.Before(since.Add(Patience)) {
			ready = now
		}
		if t := s.Turn; t != nil && now.Before(t.DueAt.Add(Forget)) {
			ready, failures = t.DueAt, t.Failures
			booked = t.Booked && now.Before(t.DueAt.Add(Hold))
		}
	}
	until := later(s.TurnsUntil, now).Add(TurnEvery)
	due := until.Add(-TurnBurst * TurnEvery) // when a turn reserved now would be due
	switch {
	case ready.After(now) && booked:
		return s, refused, ready.Sub(now)
	case ready.After(now):
		return s, refused, later(ready, due).Sub(now)
	case booked:
		return s.used(failures+1, now), turn, 0
	case due.After(now.Add(Ahead)):
		return s, refused, due.Sub(now)
	}
	s.TurnsUntil = until
	if due.After(now) {
		s.Turn = &Turn{DueAt: due, Booked: true, Failures: failures}
		return s, refused, due.Sub(now)
	}
	return s.used(failures+1, now), turn, 0
}

// used returns the state after a turn has been used. The state includes the delay that applies if the attempt fails.
func (s State) used(failures int, now time.Time) State {
	s.Turn = &Turn{DueAt: now.Add(min(time.Minute<<min(failures-1, 10), MaxRest)), Failures: failures}
	return s
}

// forgiven returns the state after an attempt whose password was right.
func (s State) forgiven(d decision) State {
	if d == open {
		s.OpenUntil = s.OpenUntil.Add(-OpenEvery)
	}
	s.Turn = nil
	return s
}

// takenBack returns the state after an admitted attempt whose password was not checked. The turn returns to the
// budget, because browsers could accumulate turns if they kept them.
func (s State) takenBack(d decision, now time.Time) State {
	if d == open {
		s.OpenUntil = s.OpenUntil.Add(-OpenEvery)
		return s
	}
	s.TurnsUntil = s.TurnsUntil.Add(-TurnEvery)
	if s.Turn != nil {
		s.Turn = &Turn{DueAt: now, Failures: s.Turn.Failures - 1}
	}
	return s
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
