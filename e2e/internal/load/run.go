package load

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
)

// RequestTimeout limits each request of the load. It is longer than every timeout of the system.
const RequestTimeout = 55 * time.Second

// Run puts every kind of load on the system until stop is called. stop waits for pending requests.
func (c *Clients) Run(t *testing.T) (stop func()) {
	t.Helper()
	return c.Every(t, func(each func(time.Duration, func(context.Context))) {
		for edge := range c.o.Stack.BaseURLs {
			for _, r := range c.Reads() {
				each(c.o.Pace.Read, func(ctx context.Context) { c.Read(ctx, r, edge) })
			}
			var current *Attempt
			each(c.o.Pace.Write, func(ctx context.Context) { current = c.write(ctx, current, edge) })
			each(c.o.Pace.Write, c.deleteKey)
			var turn int
			each(c.o.Pace.Ended, func(ctx context.Context) { turn++; c.useEnded(ctx, edge, turn) })
			if c.o.Day > 0 {
				each(c.o.Pace.Write, func(ctx context.Context) { c.useQuota(ctx, edge) })
			}
		}
		var revoked int
		each(c.o.Pace.Write, func(ctx context.Context) { revoked++; c.revoke(ctx, revoked) })
	})
}

// Every runs clients that repeat an action until stop is called. stop waits for pending requests.
func (c *Clients) Every(t *testing.T, clients func(each func(time.Duration, func(context.Context)))) (stop func()) {
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
				asking, done := context.WithTimeout(t.Context(), RequestTimeout)
				do(asking)
				done()
			}
		})
	})
	stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(stop)
	return stop
}

// Read is a path and a valid credential for it.
type Read struct{ Name, Path, Credential string }

func (c *Clients) Reads() []Read {
	return []Read{
		{"me", "/v1/me", c.Token},
		{"cv", "/v1/me/cv", c.Token},
		{"company", "/v1/companies/" + c.Company, c.Key},
		{"job", "/v1/jobs/" + c.Job, c.Key},
		{"candidates", "/v1/jobs/" + c.Job + "/candidates", c.Key},
		{"application", "/v1/candidates/" + c.Application, c.Key},
	}
}

func (c *Clients) Read(ctx context.Context, r Read, edge int) {
	a, err := partner.Get(ctx, c.o.Stack.BaseURLs[edge]+r.Path, r.Credential)
	c.served(at(r.Name, edge), http.StatusOK, a, err, grace{c.Silence, c.Calm != nil && c.Calm(r.Name, edge)})
}

// Served checks the response to any other request and reports whether it succeeded. If calm is true,
// the request must succeed despite the fault.
func (c *Clients) Served(what string, a partner.Response, err error, calm bool) bool {
	return c.served(what, http.StatusOK, a, err, grace{c.Silence, calm})
}

// useEnded uses a credential whose revocation was acknowledged.
func (c *Clients) useEnded(ctx context.Context, edge, n int) {
	f, ok := c.pickRevoked(n*7919 + edge)
	if !ok {
		return
	}
	a, err := partner.Get(ctx, c.o.Stack.BaseURLs[edge]+f.Path, f.Credential)
	c.served(at(f.What, edge), f.Status, a, err, grace{silence: c.Silence})
}

func at(what string, edge int) string { return fmt.Sprintf("%s on edge%d", what, edge+1) }

// useQuota sends a request that counts against the small daily quota.
func (c *Clients) useQuota(ctx context.Context, edge int) {
	c.Requests.Add(1)
	a, err := partner.Employer{BaseURL: c.o.Stack.BaseURLs[edge], Key: c.small}.Companies(ctx, "")
	switch {
	case err != nil && c.Silence:
	case err != nil:
		c.Broken("spend: no response: %v", err)
	case a.Status == http.StatusOK:
		c.Admitted.Add(1)
	case a.Status != http.StatusTooManyRequests && a.Status != http.StatusServiceUnavailable:
		c.Broken("spend: %d %s", a.Status, a.Code())
	}
}

// UseUpQuota uses up the small daily quota and returns the number of requests admitted since the start.
func (c *Clients) UseUpQuota(t *testing.T) int64 {
	t.Helper()
	for i := range 3 * c.o.Day {
		c.useQuota(t.Context(), int(i)%len(c.o.Stack.BaseURLs))
	}
	return c.Admitted.Load()
}
