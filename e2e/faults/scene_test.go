package faults_test

import (
	"testing"
	"time"

	"vitae.internal/e2e/internal/load"
)

const (
	// applicants is the number of people who apply for every job.
	applicants = 2
	// readEvery is the time between two reads of a client. It leaves processor time for other
	// processes.
	readEvery = 15 * time.Millisecond
	// smallDay is a daily quota that every round uses up.
	smallDay = 150
)

// scene holds the clients of one round and the fault that affects them.
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

// audit compares the responses to clients with the stored data. It runs after the load has stopped and
// all processes work again.
func (c *scene) audit(t *testing.T) {
	t.Helper()
	before := c.Admitted.Load()
	admitted := c.UseUpQuota(t)
	t.Logf("daily quota %d: %d requests admitted before the audit, %d in total", smallDay, before, admitted)
	if admitted > smallDay+c.fault.beyond {
		t.Errorf("%d requests admitted, want at most the quota of %d plus %d because of the fault", admitted, smallDay, c.fault.beyond)
	}
	c.Audit(t)
}
