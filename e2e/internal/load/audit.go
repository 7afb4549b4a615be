package load

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

// Audit verifies every acknowledgement. Call it after the load has stopped and all services work again.
func (c *Clients) Audit(t *testing.T) {
	t.Helper()
	c.auditJobs(t)
	for _, to := range c.jobs {
		c.auditApplications(t, to)
	}
	lost, restored := c.contradicted(t, c.facts), c.contradicted(t, c.ended)
	c.Report(t)
	t.Logf("%d requests, of which %d were refused; %d acknowledged writes, %d lost; %d revoked credentials, %d accepted again",
		c.Requests.Load(), c.Refused.Load(), c.Acknowledged.Load(), lost, len(c.ended), restored)
}

// contradicted returns the number of facts that a replica contradicts.
func (c *Clients) contradicted(t *testing.T, facts []Fact) (n int) {
	t.Helper()
	for _, f := range facts {
		for _, base := range c.o.Stack.BaseURLs {
			if a := expect.Must(partner.Get(t.Context(), base+f.Path, f.Credential))(t); a.Status != f.Status {
				t.Errorf("%s was acknowledged, want %d: %s", f.What, f.Status, a)
				n++
				break
			}
		}
	}
	return n
}

// auditJobs repeats every creation on every replica. Each idempotency key must return the acknowledged
// job, and there must be no other jobs.
func (c *Clients) auditJobs(t *testing.T) {
	t.Helper()
	ids := map[string]bool{}
	for _, tried := range c.jobs {
		for edge := range c.o.Stack.BaseURLs {
			a := expect.Must(c.Employer(edge).CreateJob(t.Context(), c.Company, world.Live(), "Idempotency-Key", tried.key))(t)
			got := ID(a)
			if a.Status != http.StatusCreated || (tried.Job != "" && got != tried.Job) {
				t.Errorf("%s returned %q first, and now returns %s", tried.key, tried.Job, a)
			}
			tried.Job, ids[got] = got, true
		}
	}
	if total := c.total(t, "/v1/companies/"+c.Company+"/jobs"); len(ids) != len(c.jobs) || total != len(ids) {
		t.Errorf("%d keys returned %d jobs, and the list has %d", len(c.jobs), len(ids), total)
	}
}

// auditApplications repeats unacknowledged applications. Each person must then have exactly one
// application for the job.
func (c *Clients) auditApplications(t *testing.T, to *Attempt) {
	t.Helper()
	for _, p := range c.People {
		if _, done := to.applied[p]; !done && !c.apply(t.Context(), to, p) {
			t.Errorf("%s cannot apply to %s", p, to.Job)
		}
	}
	if n := c.total(t, "/v1/jobs/"+to.Job+"/candidates"); n != len(c.People) {
		t.Errorf("%s has %d applications, want %d", to.Job, n, len(c.People))
	}
	last := len(c.o.Stack.BaseURLs) - 1
	expect.Eventually(t, "applicationCount", func(ctx context.Context) error {
		a, err := c.Employer(last).Job(ctx, to.Job)
		if err != nil {
			return err
		}
		body, err := a.JSON()
		if err != nil {
			return err
		}
		data, _ := body["data"].(map[string]any)
		if got := fmt.Sprint(data["applicationCount"]); got != fmt.Sprint(len(c.People)) {
			return fmt.Errorf("%s, want %d", got, len(c.People))
		}
		return nil
	})
}

func (c *Clients) total(t *testing.T, path string) int {
	t.Helper()
	a := expect.Must(c.Employer(len(c.o.Stack.BaseURLs)-1).Get(t.Context(), path, ""))(t)
	var body struct{ Meta struct{ Total int } }
	if err := json.Unmarshal(a.Body, &body); err != nil || a.Status != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, a, err)
	}
	return body.Meta.Total
}
