package tokens_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

const (
	// tries is the number of uses of a credential after its revocation was acknowledged.
	tries = 200
	// betweens is the number of times that an action runs between the uses.
	betweens = 20
)

// ending is an event that revokes an access token or its access to a path.
type ending struct {
	name string
	end  func(testing.TB, scene.Connected)
	// path must be rejected afterwards, with this status and code.
	path   string
	status int
	code   string
}

var endings = []ending{
	{"the access token is revoked", func(t testing.TB, c scene.Connected) {
		expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), c.Tokens.Access))(t))
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"the refresh token is revoked", func(t testing.TB, c scene.Connected) {
		expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), c.Tokens.Refresh))(t))
	}, "/v1/me/cv", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"the person disconnects", func(t testing.TB, c scene.Connected) {
		if err := c.Person.Disconnect(t.Context(), c.Stack.AppURLs[0], c.AppName(t, "web")); err != nil {
			t.Fatal(err)
		}
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"an operator disconnects", func(t testing.TB, c scene.Connected) {
		connection := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection", "id").(string)
		c.Vitaectl(t, "person", "disconnect", "--person", c.Created.People["layla"].ID, "--connection", connection)
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"the person turns sharing off", func(t testing.TB, c scene.Connected) {
		c.Share(t, false)
	}, "/v1/me/cv", http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE"},
	{"the account is suspended", func(t testing.TB, c scene.Connected) {
		c.Vitaectl(t, "account", "suspend", c.Created.Developers["dev"].ID)
	}, "/v1/me", http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED"},
	{"the app loses a scope", func(t testing.TB, c scene.Connected) {
		c.Vitaectl(t, "app", "update", c.Created.Apps["web"].ID, "--scopes", "profile,email")
	}, "/v1/me/cv", http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE"},
	{"the app is deleted", func(t testing.TB, c scene.Connected) {
		c.Vitaectl(t, "app", "delete", c.Created.Apps["web"].ID, "--yes")
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"a rotated token is presented", func(t testing.TB, c scene.Connected) {
		expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
		expect.FlatRefused(t, expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
}

// warm sends reads to every replica, so Redis holds session records for the token.
func warm(t testing.TB, c scene.Connected, path string) {
	t.Helper()
	for range 3 {
		for _, at := range c.Replicas(c.App) {
			expect.Success(t, expect.Must(at.Get(t.Context(), path, c.Tokens.Access))(t))
		}
	}
}

// present uses the token tries times, on the replicas in turn, and asserts that it is rejected. If
// between is not nil, it is called betweens times.
func present(t testing.TB, c scene.Connected, e ending, between func(context.Context) error) {
	t.Helper()
	edges := c.Replicas(c.App)
	var accepted atomic.Int64
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(16)
	for i := range tries {
		group.Go(func() error {
			if between != nil && i%(tries/betweens) == 0 {
				if err := between(ctx); err != nil {
					return err
				}
			}
			a, err := edges[i%len(edges)].Get(ctx, e.path, c.Tokens.Access)
			if err != nil {
				return err
			}
			if a.Status != e.status || a.Code() != e.code {
				accepted.Add(1)
				t.Errorf("request %d: %s, want %d %s", i, a, e.status, e.code)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := accepted.Load(); n > 0 {
		t.Errorf("%d of %d requests were not rejected as expected", n, tries)
	}
}

// load continuously reads with the token from every replica and empties Redis repeatedly, so session
// records are written all the time. It returns when every reader has received a response, with a
// function that stops the load.
func load(t testing.TB, c scene.Connected, path string, flush func(context.Context) error) func() {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wait, warm sync.WaitGroup
	edges := c.Replicas(c.App)
	const readers = 4
	warm.Add(readers)
	for i := range readers {
		wait.Go(func() {
			first := sync.OnceFunc(warm.Done)
			defer first()
			for n := 0; ctx.Err() == nil; n++ {
				if n%25 == 0 && flush(ctx) != nil {
					return
				}
				if _, err := edges[i%len(edges)].Get(ctx, path, c.Tokens.Access); err != nil {
					return
				}
				first()
			}
		})
	}
	warm.Wait()
	stop := func() {
		cancel()
		wait.Wait()
	}
	t.Cleanup(stop)
	return stop
}
