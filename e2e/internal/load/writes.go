package load

import (
	"context"
	"net/http"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Attempt is a job that a client tries to create, with its applications.
type Attempt struct {
	// Job is the job's id, or "" until the creation is acknowledged.
	Job     string
	key     string            // the idempotency key
	applied map[string]string // the ids of applications, by person
}

// NewAttempt adds a job for Audit to check.
func (c *Clients) NewAttempt() *Attempt {
	doing := &Attempt{key: "key-" + world.Unique(), applied: map[string]string{}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jobs = append(c.jobs, doing)
	return doing
}

// write performs the next step of creating a job and applying for it. Steps are repeated with the same
// idempotency key until they are acknowledged. It returns nil after the last step.
func (c *Clients) write(ctx context.Context, doing *Attempt, edge int) *Attempt {
	if doing == nil {
		doing = c.NewAttempt()
	}
	if doing.Job == "" {
		c.CreateJob(ctx, doing, edge)
		return doing
	}
	for _, p := range c.People {
		if _, done := doing.applied[p]; !done {
			c.apply(ctx, doing, p)
			return doing
		}
	}
	return nil
}

// CreateJob creates the job of an attempt and reports whether the creation was acknowledged.
func (c *Clients) CreateJob(ctx context.Context, doing *Attempt, edge int) bool {
	begun := time.Now()
	a, err := c.Employer(edge).CreateJob(ctx, c.Company, world.Live(), "Idempotency-Key", doing.key)
	if !c.served("create a job", http.StatusCreated, a, err, grace{silence: c.Silence}) {
		return false
	}
	doing.Job = ID(a)
	c.RecordWrite(begun, Alive("a job", c.Key, "/v1/jobs/"+doing.Job))
	return true
}

// apply applies for a job and reports whether the application was acknowledged.
func (c *Clients) apply(ctx context.Context, to *Attempt, personID string) bool {
	c.Requests.Add(1)
	begun := time.Now()
	made, err := c.Intake.Apply(ctx, scene.Applying(to.Job, personID))
	e, _ := errs.As(err)
	switch {
	case err == nil:
		id := made.GetApplication().GetApplicationId()
		to.applied[personID] = id
		c.RecordWrite(begun, Alive("an application", c.Key, "/v1/candidates/"+id))
	case scene.AlreadyApplied(err): // by an earlier call whose response was lost
		to.applied[personID] = ""
	case e != nil && (e.Kind == errs.NotFound || e.Kind == errs.Denied || e.Kind == errs.Invalid || e.Kind == errs.Precondition):
		c.Broken("apply for an acknowledged job: %v", err)
		return false
	default:
		c.refuse()
		return false
	}
	return true
}

// deleteKey creates an API key, uses it on every replica, and deletes it.
func (c *Clients) deleteKey(ctx context.Context) {
	c.Requests.Add(1)
	begun := time.Now()
	made, err := c.Keys.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{
		AppId: c.Made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes,
	})
	if err != nil {
		c.refuse()
		return
	}
	c.RecordWrite(begun)
	path := "/v1/companies/" + c.Company
	for _, base := range c.o.Stack.BaseURLs {
		a, err := partner.Get(ctx, base+path, made.GetSecret())
		c.served("a new key", http.StatusOK, a, err, grace{silence: c.Silence})
	}
	c.Requests.Add(1)
	begun = time.Now()
	if _, err := c.Keys.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: made.GetApiKey().GetId()}); err != nil {
		c.refuse()
		return
	}
	c.RecordWrite(begun, Ended("a deleted key", made.GetSecret(), path))
}

// revoke connects a person, refreshes the tokens, and ends the connection in one of three ways.
func (c *Clients) revoke(ctx context.Context, n int) {
	c.Requests.Add(1)
	old, err := c.Connect(ctx, c.Revoker)
	if err != nil {
		c.refuse()
		return
	}
	app := c.App(n % len(c.o.Stack.BaseURLs))
	a, err := app.Refresh(ctx, old.Refresh, "")
	if !c.served("refresh", http.StatusOK, a, err, grace{silence: c.Silence}) {
		return // the token may have been rotated
	}
	tokens, err := a.Tokens()
	if err != nil {
		c.Broken("refresh: %v", err)
		return
	}
	for _, base := range c.o.Stack.BaseURLs {
		a, err := partner.Get(ctx, base+"/v1/me", tokens.Access)
		c.served("a refreshed token", http.StatusOK, a, err, grace{silence: c.Silence})
	}
	c.end(ctx, n, old, tokens)
}

// end ends the connection by revoking a token or disconnecting the app. The old tokens are from before
// the refresh.
func (c *Clients) end(ctx context.Context, n int, old, tokens partner.Tokens) {
	app, begun, token := c.App(n%len(c.o.Stack.BaseURLs)), time.Now(), tokens.Refresh
	dead := []Fact{Ended("a revoked token", tokens.Access, "/v1/me")}
	switch n % 3 {
	case 0:
		token = tokens.Access
	case 1:
		dead = append(dead, Ended("a token of a revoked family", old.Access, "/v1/me/cv"))
	default:
		if c.Revoker.Disconnect(ctx, c.o.Stack.AppURLs[0], c.AppName) != nil {
			c.refuse()
			return
		}
		c.RecordWrite(begun, Ended("a token of an ended connection", tokens.Access, "/v1/me"), Ended("an old token of an ended connection", old.Access, "/v1/me"))
		return
	}
	a, err := app.Revoke(ctx, token)
	if c.served("revoke", http.StatusOK, a, err, grace{silence: c.Silence}) {
		c.RecordWrite(begun, dead...)
	}
}
