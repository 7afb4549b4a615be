package faults_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	// applicants is how many people apply to every job.
	applicants = 2
	// askTimeout is longer than every deadline of the system. The longest is that of a PDF.
	askTimeout = 55 * time.Second
	// readEvery and writeEvery leave the machine some of its time.
	readEvery, writeEvery = 15 * time.Millisecond, 60 * time.Millisecond
	// smallDay is the budget of a day that every round uses up.
	smallDay = 150
)

// run puts load on the system until stop is called. Clients never give a request up, so
// stop waits for those under way.
func (c *scene) run(t *testing.T) (stop func()) {
	return c.every(t, func(each func(time.Duration, func(context.Context))) {
		for edge := range edges {
			for _, r := range c.reads() {
				each(readEvery*4, func(ctx context.Context) { c.read(ctx, r, edge) })
			}
			var current *attempt
			each(writeEvery, func(ctx context.Context) { current = c.write(ctx, current, edge) })
			each(writeEvery, c.deleteKey)
			var turn int
			each(readEvery, func(ctx context.Context) { turn++; c.useDead(ctx, edge, turn) })
			each(readEvery*4, func(ctx context.Context) { c.spend(ctx, edge) })
		}
		var revoked int
		each(writeEvery, func(ctx context.Context) { revoked++; c.revoke(ctx, revoked) })
	})
}

// every runs clients that each do one thing again and again, with a pause, until stop is
// called, which waits for the requests under way.
func (c *scene) every(t *testing.T, clients func(each func(time.Duration, func(context.Context)))) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	clients(func(pause time.Duration, do func(context.Context)) {
		wait.Go(func() {
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				asking, done := context.WithTimeout(t.Context(), askTimeout)
				do(asking)
				done()
			}
		})
	})
	stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(stop)
	return stop
}

// read is a path that a live credential may read.
type read struct{ name, path, credential string }

func (c *scene) reads() []read {
	return []read{
		{"me", "/v1/me", c.token},
		{"cv", "/v1/me/cv", c.token},
		{"company", "/v1/companies/" + c.company, c.key},
		{"job", "/v1/jobs/" + c.job, c.key},
		{"candidates", "/v1/jobs/" + c.job + "/candidates", c.key},
		{"application", "/v1/candidates/" + c.application, c.key},
	}
}

func (c *scene) read(ctx context.Context, r read, edge int) {
	a, err := partner.Get(ctx, c.BaseURLs[edge]+r.path, r.credential)
	c.served(r.name+" at "+edges[edge], http.StatusOK, a, err, c.fault, c.fault.calm(r.name, edges[edge]))
}

// write does the next step of creating a job and applying to it. A step is repeated, with
// the same idempotency key, until it is acknowledged. write returns the attempt until its
// last step is done, and then nil.
func (c *scene) write(ctx context.Context, doing *attempt, edge int) *attempt {
	if doing == nil {
		doing = &attempt{key: "key-" + world.Unique(), applied: map[string]string{}}
		c.mu.Lock()
		c.jobs = append(c.jobs, doing)
		c.mu.Unlock()
	}
	if doing.job == "" {
		a, err := c.employer(edge).CreateJob(ctx, c.company, world.Live(), "Idempotency-Key", doing.key)
		if c.served("create a job", http.StatusCreated, a, err, c.fault, false) {
			doing.job = idOf(a)
		}
		return doing
	}
	for _, p := range c.people {
		if _, done := doing.applied[p]; done {
			continue
		}
		c.apply(ctx, doing, p)
		return doing
	}
	return nil
}

// apply applies, and reports whether that was acknowledged.
func (c *scene) apply(ctx context.Context, to *attempt, personID string) bool {
	c.asked.Add(1)
	made, err := c.intake.Apply(ctx, &candidatev1.ApplyRequest{
		JobId: to.job, PersonId: personID, Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
		Source: candidatev1.ApplicationSource_APPLICATION_SOURCE_TABBIO_APP,
	})
	e, _ := errs.As(err)
	switch {
	case err == nil:
		to.applied[personID] = made.GetApplication().GetApplicationId()
	case e != nil && e.Code == "ALREADY_APPLIED": // by an earlier call that was not answered
		to.applied[personID] = ""
	case e != nil && (e.Kind == errs.NotFound || e.Kind == errs.Denied || e.Kind == errs.Invalid || e.Kind == errs.Precondition):
		c.broken("apply: %v", err)
		return false
	default:
		return false
	}
	return true
}

// deleteKey creates a key, uses it at every replica, and deletes it.
func (c *scene) deleteKey(ctx context.Context) {
	c.asked.Add(1)
	made, err := c.keys.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{
		AppId: c.made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes,
	})
	if err != nil {
		return
	}
	path := "/v1/companies/" + c.company
	for _, base := range c.BaseURLs {
		a, err := partner.Get(ctx, base+path, made.GetSecret())
		c.served("a new key", http.StatusOK, a, err, c.fault, false)
	}
	if _, err := c.keys.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: made.GetApiKey().GetId()}); err == nil {
		c.noteDead(deadCredential{"a deleted key", made.GetSecret(), path})
	}
}

// revoke connects a person, refreshes, and ends the connection in one of three ways.
func (c *scene) revoke(ctx context.Context, n int) {
	c.asked.Add(1)
	tokens, err := c.connect(ctx, c.revoker)
	if err != nil {
		return
	}
	app := c.app(n % len(edges))
	var a partner.Answer
	if a, err = app.Refresh(ctx, tokens.Refresh, ""); !c.served("refresh", http.StatusOK, a, err, c.fault, false) {
		return // the token may have been rotated
	}
	old := tokens
	if tokens, err = a.Tokens(); err != nil {
		c.broken("refresh: %v", err)
		return
	}
	for _, base := range c.BaseURLs {
		a, err := partner.Get(ctx, base+"/v1/me", tokens.Access)
		c.served("a refreshed token", http.StatusOK, a, err, c.fault, false)
	}
	dead := []deadCredential{{"a revoked token", tokens.Access, "/v1/me"}}
	switch n % 3 {
	case 0:
		a, err = app.Revoke(ctx, tokens.Access)
	case 1:
		a, err = app.Revoke(ctx, tokens.Refresh)
		dead = append(dead, deadCredential{"a token of a revoked family", old.Access, "/v1/me/cv"})
	default:
		if c.revoker.Disconnect(ctx, c.AppURLs[0], c.appName) == nil {
			c.noteDead(deadCredential{"a token of a connection that was ended", tokens.Access, "/v1/me"}, deadCredential{"an old token of such a connection", old.Access, "/v1/me"})
		}
		return
	}
	if c.served("revoke", http.StatusOK, a, err, c.fault, false) {
		c.noteDead(dead...)
	}
}

// useDead uses a credential whose end was acknowledged before.
func (c *scene) useDead(ctx context.Context, edge, n int) {
	g, ok := c.anyDead(n*7919 + edge)
	if !ok {
		return
	}
	a, err := partner.Get(ctx, c.BaseURLs[edge]+g.path, g.token)
	c.served(g.what+" at "+edges[edge], http.StatusUnauthorized, a, err, c.fault, false)
}

// spend spends of the budget of the small plan.
func (c *scene) spend(ctx context.Context, edge int) {
	c.asked.Add(1)
	a, err := partner.Employer{BaseURL: c.BaseURLs[edge], Key: c.small}.Companies(ctx, "")
	if err == nil && a.Status == http.StatusOK {
		c.admitted.Add(1)
	}
}
