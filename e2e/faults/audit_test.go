package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// audit compares what clients were answered with what is stored. It runs after the load
// has stopped, when every part works again.
func (c *scene) audit(t *testing.T) {
	t.Helper()
	c.auditJobs(t)
	for _, to := range c.jobs {
		c.auditApplications(t, to)
	}
	for _, g := range c.dead {
		for _, base := range c.BaseURLs {
			if a := expect.Must(partner.Get(t.Context(), base+g.path, g.token))(t); a.Status != http.StatusUnauthorized {
				t.Errorf("%s is accepted: %s", g.what, a)
			}
		}
	}
	c.auditBudget(t)
	c.report(t)
}

// auditJobs repeats every create at both replicas. Each idempotency key must give the job
// that was answered, and there must be no other job.
func (c *scene) auditJobs(t *testing.T) {
	t.Helper()
	ids := map[string]bool{}
	for _, tried := range c.jobs {
		for edge := range edges {
			a := expect.Must(c.employer(edge).CreateJob(t.Context(), c.company, world.Live(), "Idempotency-Key", tried.key))(t)
			got := idOf(a)
			if a.Status != http.StatusCreated || (tried.job != "" && got != tried.job) {
				t.Errorf("%s was answered with %q, and gives %s now", tried.key, tried.job, a)
			}
			tried.job, ids[got] = got, true
		}
	}
	total := c.total(t, "/v1/companies/"+c.company+"/jobs")
	if len(ids) != len(c.jobs) || total != len(ids)+1 {
		t.Errorf("%d keys gave %d jobs, and there are %d with the one that was there before", len(c.jobs), len(ids), total)
	}
}

// auditApplications applies again where no answer came. In the end each person must have
// applied once, and every acknowledged application must exist.
func (c *scene) auditApplications(t *testing.T, to *attempt) {
	t.Helper()
	for _, p := range c.people {
		if _, done := to.applied[p]; !done && !c.apply(t.Context(), to, p) {
			t.Errorf("%s cannot apply to %s", p, to.job)
		}
	}
	for _, application := range to.applied {
		if application == "" {
			continue
		}
		if a := expect.Must(c.employer(0).Candidate(t.Context(), application))(t); a.Status != http.StatusOK {
			t.Errorf("an acknowledged application: %s", a)
		}
	}
	if n := c.total(t, "/v1/jobs/"+to.job+"/candidates"); n != len(c.people) {
		t.Errorf("%s has %d applications, want %d", to.job, n, len(c.people))
	}
	expect.Eventually(t, "applicationCount", func(ctx context.Context) error {
		a, err := c.employer(1).Job(ctx, to.job)
		if err != nil {
			return err
		}
		body, err := a.JSON()
		if err != nil {
			return err
		}
		data, _ := body["data"].(map[string]any)
		if got := fmt.Sprint(data["applicationCount"]); got != fmt.Sprint(len(c.people)) {
			return fmt.Errorf("%s, want %d", got, len(c.people))
		}
		return nil
	})
}

// total is the total of a list.
func (c *scene) total(t *testing.T, path string) int {
	t.Helper()
	a := expect.Must(c.employer(1).Get(t.Context(), path, ""))(t)
	var body struct{ Meta struct{ Total int } }
	if err := json.Unmarshal(a.Body, &body); err != nil || a.Status != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, a, err)
	}
	return body.Meta.Total
}

// auditBudget uses up the rest of the small budget, and asserts that no more was admitted
// than it holds.
func (c *scene) auditBudget(t *testing.T) {
	t.Helper()
	before := c.admitted.Load()
	for i := range 2 * smallDay {
		c.spend(t.Context(), i%len(edges))
	}
	admitted := c.admitted.Load()
	t.Logf("of the day's %d, %d were spent before the audit and %d in all", smallDay, before, admitted)
	if admitted > smallDay+c.fault.beyond {
		t.Errorf("%d requests on a budget of %d, and %d more that the fault allows", admitted, smallDay, c.fault.beyond)
	}
}
