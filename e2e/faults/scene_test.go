package faults_test

import (
	"testing"
	"time"

	"vitae.internal/e2e/internal/load"
)

const (
	// applicants is how many people apply to every job.
	applicants = 2
	// readEvery leaves some processor time to others.
	readEvery = 15 * time.Millisecond
	// smallDay is the budget of a day that every round uses up.
	smallDay = 150
)

// scene is the clients of one round, and the fault that affects them.
type scene struct {
	*system
	*load.Clients
	fault   fault
	refresh []string // refresh tokens of one person
}

func newScene(t *testing.T, s *system, f fault) *scene {
	t.Helper()
	c := &scene{system: s, fault: f, Clients: load.New(t, load.Options{
		Stack: s.Stack, Applicants: applicants, Day: smallDay,
		Pace: load.Pace{Read: 4 * readEvery, Write: 4 * readEvery, Ended: readEvery},
	})}
	c.Silence = f.edge != ""
	c.Calm = func(read string, edge int) bool { return f.calm(read, edges[edge]) }
	return c
}

// audit compares the answers that clients got with what is stored. It runs after the load has
// stopped, when every part works again.
func (c *scene) audit(t *testing.T) {
	t.Helper()
	before := c.Admitted.Load()
	admitted := c.SpendAll(t)
	t.Logf("of the day's %d, %d were spent before the audit and %d in all", smallDay, before, admitted)
	if admitted > smallDay+c.fault.beyond {
		t.Errorf("%d requests on a budget of %d, and %d more that the fault allows", admitted, smallDay, c.fault.beyond)
	}
	c.Audit(t)
}
