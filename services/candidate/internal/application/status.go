package application

import "vitae.internal/pkg/errs"

// Status is a stage, as the specification spells it.
type Status string

// The stages (spec: Application status).
const (
	Applied     Status = "applied"
	Reviewed    Status = "reviewed"
	Shortlisted Status = "shortlisted"
	Interview   Status = "interview"
	Offered     Status = "offered"
	Rejected    Status = "rejected"
	Withdrawn   Status = "withdrawn"
)

// forward is the order of the stages that follow one another.
var forward = map[Status]int{Applied: 1, Reviewed: 2, Shortlisted: 3, Interview: 4, Offered: 5}

// Valid reports whether s is a stage.
func (s Status) Valid() bool { return forward[s] > 0 || s.final() }

// final says that nothing follows.
func (s Status) final() bool { return s == Rejected || s == Withdrawn }

// CanBecome reports whether next may follow s: a later stage, any number of them
// skipped, or the end (decision 35).
func (s Status) CanBecome(next Status) bool {
	switch {
	case forward[s] == 0:
		return false
	case next.final():
		return true
	}
	return forward[next] > forward[s]
}

// errTransition says that to may not follow from.
func errTransition(from, to Status) error {
	return errs.New(errs.Precondition, "APPLICATION_TRANSITION_INVALID", "An application that is %s cannot become %s.", from, to)
}
