package ceiling

import "time"

// The figures of the rule. In any hour at most 73 passwords are checked for an account:
// 10 + 10 of the open budget, 3 + 40 of the turns, and 10 turns that were booked before
// the hour and are still held when it begins.
const (
	// OpenBurst is how many attempts the open budget has when it is full, OpenEvery how
	// long it takes to get one back.
	OpenBurst = 10
	OpenEvery = 6 * time.Minute
	// TurnBurst and TurnEvery are the same of the turns.
	TurnBurst = 3
	TurnEvery = 90 * time.Second
	// Patience is how long a browser must have been waiting, without another attempt,
	// before it gets a turn.
	Patience = time.Minute
	// Ahead is how far ahead turns are booked.
	Ahead = time.Hour
	// Hold is how long a booked turn is held after it is due.
	Hold = 15 * time.Minute
	// MaxRest bounds the rest of a browser that has failed in its turns. The first is a
	// minute, and each further one is twice as long, so that one browser cannot use up the
	// turns of all.
	MaxRest = 32 * time.Minute
	// Forget is how long after its last turn a browser's failures are remembered.
	Forget = 2 * time.Hour
)

// State is what is spent of an account's budgets, and the turn of one browser.
type State struct {
	// OpenUntil and TurnsUntil are when the budgets will be full again.
	OpenUntil, TurnsUntil time.Time
	// Turn is nil for a browser without one.
	Turn *Turn
}

// Turn is a browser's place among those that come back.
type Turn struct {
	// DueAt is when the browser may try next.
	DueAt time.Time
	// Booked says that the attempt at DueAt is taken out of the budget already.
	Booked bool
	// Failures is how many turns it has used without success.
	Failures int
}

// way is how an attempt is let in.
type way int

const (
	refused way = iota
	open
	turn
)

// admit decides on an attempt of a browser that has been waiting since the given time,
// the zero time for one that has not. Who comes too early begins to wait anew. It gives the state afterwards and, for a refused
// attempt, the time to wait.
func (s State) admit(since, now time.Time) (State, way, time.Duration) {
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
	due := until.Add(-TurnBurst * TurnEvery) // of a turn that is booked now
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

// used is the state after a turn, with the rest that follows if it fails.
func (s State) used(failures int, now time.Time) State {
	s.Turn = &Turn{DueAt: now.Add(min(time.Minute<<min(failures-1, 10), MaxRest)), Failures: failures}
	return s
}

// forgiven is the state after an attempt whose password was right.
func (s State) forgiven(w way) State {
	if w == open {
		s.OpenUntil = s.OpenUntil.Add(-OpenEvery)
	}
	s.Turn = nil
	return s
}

// givenBack is the state after an attempt that was let in and not checked after all. Its
// turn goes back into the budget: if the browser kept it, turns could be saved up.
func (s State) givenBack(w way, now time.Time) State {
	if w == open {
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
