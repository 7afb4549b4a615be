package application

import "vitae.internal/pkg/errs"

// Status is the stage of an application. The values are the same as in the JSON of the API.
type Status string

// The stages (behaviour: applications#stages).
const (
	Applied     Status = "applied"
	Reviewed    Status = "reviewed"
	Shortlisted Status = "shortlisted"
	Interview   Status = "interview"
	Offered     Status = "offered"
	Rejected    Status = "rejected"
	Withdrawn   Status = "withdrawn"
)

// forward maps each stage that is not final to its place in the order of stages.
var forward = map[Status]int{Applied: 1, Reviewed: 2, Shortlisted: 3, Interview: 4, Offered: 5}

// Valid reports whether s is a known stage.
func (s Status) Valid() bool { return forward[s] > 0 || s.final() }

func (s Status) final() bool { return s == Rejected || s == Withdrawn }

// CanBecome reports whether the stage next may follow s. Any later stage may, and so may any final
// stage (behaviour: applications#stages).
func (s Status) CanBecome(next Status) bool {
	switch {
	case forward[s] == 0:
		return false
	case next.final():
		return true
	}
	return forward[next] > forward[s]
}

func errTransition(from, to Status) error {
	return errs.New(errs.Precondition, "APPLICATION_TRANSITION_INVALID", "An application that is %s cannot become %s.", from, to)
}
