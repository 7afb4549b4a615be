package tokens_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	issued "vitae.internal/pkg/credential"
)

// stablePart returns the parts of a response that must not change between requests.
func stablePart(a partner.Response) string {
	return fmt.Sprint(a.Status, a.Header.Get("Content-Type"), a.Header.Get("Cache-Control"), a.Header.Get("WWW-Authenticate"), string(a.Body))
}

func TestIntrospectionDescribesLiveTokens(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	me := expect.Success(t, c.Get(t, "/v1/me"))
	for token, life := range map[string]time.Duration{c.Tokens.Access: time.Hour, c.Tokens.Refresh: 90 * 24 * time.Hour} {
		for _, at := range c.Replicas(c.App) {
			body := expect.Flat(t, expect.Must(at.Introspect(t.Context(), token))(t), http.StatusOK)
			expect.Matches(t, "introspection", map[string]any{
				"active": true, "scope": world.EveryScope, "client_id": c.App.ID, "token_type": "Bearer",
				"sub": me["id"], "exp": unixNear(time.Now().Add(life)), "connection_id": me["connection"].(map[string]any)["id"],
			}, body)
		}
	}
}

// unixNear matches a Unix time within five minutes of a time.
func unixNear(want time.Time) expect.Matcher {
	return func(v any) error {
		n, _ := v.(json.Number)
		seconds, err := n.Int64()
		if err != nil || time.Unix(seconds, 0).Sub(want).Abs() > 5*time.Minute {
			return expect.Identifier(nil)
		}
		return nil
	}
}

// auth responds to the first request. The gateway responds to later requests from session records if possible.
func TestRepeatedIntrospectionsAreAlike(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	other := scene.Connect(t, c.Client(t, "other"), c.Person, "profile", person.Choice{})
	public := c.Client(t, "mobile")
	ofPublic := scene.Connect(t, public, c.Person, "profile", person.Choice{})
	narrowed := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, "profile"))(t).Tokens())(t)
	revoked := scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), revoked.Access))(t))
	wrong := c.App
	wrong.Secret = issued.New(issued.ClientSecret)
	for name, row := range map[string]struct {
		by     partner.Client
		token  string
		status int
		has    string
	}{
		"live":               {c.App, c.Tokens.Access, http.StatusOK, `"scope":"profile email cv:read`},
		"narrowed":           {c.App, narrowed.Access, http.StatusOK, `"scope":"profile"`},
		"refresh token":      {c.App, narrowed.Refresh, http.StatusOK, `"active":true`},
		"rotated":            {c.App, c.Tokens.Refresh, http.StatusOK, `{"active":false}`},
		"revoked":            {c.App, revoked.Access, http.StatusOK, `{"active":false}`},
		"foreign":            {c.App, other.Access, http.StatusOK, `{"active":false}`},
		"unknown":            {c.App, issued.New(issued.AccessToken), http.StatusOK, `{"active":false}`},
		"not a token":        {c.App, "x", http.StatusOK, `{"active":false}`},
		"an API key":         {c.App, issued.New(issued.APIKey), http.StatusOK, `{"active":false}`},
		"by a public client": {public, ofPublic.Access, http.StatusOK, `"active":true`},
		"by a wrong secret":  {wrong, c.Tokens.Access, http.StatusUnauthorized, "invalid_client"},
	} {
		var first string
		for n := range 8 {
			for _, at := range c.Replicas(row.by) {
				a := expect.Must(at.Introspect(t.Context(), row.token))(t)
				if first == "" {
					first = stablePart(a)
				}
				if a.Status != row.status || !strings.Contains(string(a.Body), row.has) || stablePart(a) != first {
					t.Errorf("%s, request %d: %s, the first was %s", name, n, stablePart(a), first)
				}
			}
		}
	}
}

// introspectionEnding is an event that changes the response to an introspection.
type introspectionEnding struct {
	name string
	end  func(testing.TB, scene.Connected)
	// status is the status of each response afterwards, and has is a text that each must contain.
	status int
	has    string
}

var introspectionEndings = append([]introspectionEnding{
	{"the secret is rotated", func(t testing.TB, c scene.Connected) {
		c.Vitaectl(t, "app", "rotate-secret", c.Created.Apps["web"].ID)
	}, http.StatusUnauthorized, "invalid_client"},
	{"the secret is deleted after a rotation", func(t testing.TB, c scene.Connected) {
		app := c.Created.Apps["web"].ID
		rotated := c.Vitaectl(t, "app", "rotate-secret", app, "--overlap", "1h")
		c.Vitaectl(t, "app", "delete-secret", rotated["secrets"].([]any)[1].(map[string]any)["id"].(string))
	}, http.StatusUnauthorized, "invalid_client"},
	{"the secret expires at a set time", func(t testing.TB, c scene.Connected) {
		app := c.Created.Apps["web"].ID
		rotated := c.Vitaectl(t, "app", "rotate-secret", app, "--overlap", "1h")
		end := time.Now().Add(3 * time.Second)
		c.Vitaectl(t, "app", "expire-secret", rotated["secrets"].([]any)[1].(map[string]any)["id"].(string), "--at", end.UTC().Format(time.RFC3339Nano))
		<-time.After(time.Until(end))
	}, http.StatusUnauthorized, "invalid_client"},
}, tokenEndings()...)

// tokenEndings returns the endings of access tokens with the expected introspection response.
func tokenEndings() (all []introspectionEnding) {
	for _, e := range endings {
		ending := introspectionEnding{e.name, e.end, http.StatusOK, `{"active":false}`}
		switch e.name {
		case "the person turns sharing off", "the app loses a scope":
			ending.has = `"scope":"profile email"`
		case "the account is suspended":
			ending.status, ending.has = http.StatusForbidden, "access_denied"
		case "the app is deleted":
			ending.status, ending.has = http.StatusUnauthorized, "invalid_client"
		}
		all = append(all, ending)
	}
	return all
}

// introspectRepeatedly continuously introspects the token on every replica, so session records are
// written. It returns after the first 50 responses, with a function that stops it.
func introspectRepeatedly(t testing.TB, c scene.Connected) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	var responses atomic.Int32
	edges := c.Replicas(c.App)
	for i := range 4 {
		wait.Go(func() {
			for ctx.Err() == nil {
				if _, err := edges[i%len(edges)].Introspect(ctx, c.Tokens.Access); err != nil {
					return
				}
				responses.Add(1)
			}
		})
	}
	expect.Eventually(t, "introspections succeed", func(context.Context) error {
		if n := responses.Load(); n < 50 {
			return fmt.Errorf("%d responses", n)
		}
		return nil
	})
	stop = func() {
		cancel()
		wait.Wait()
	}
	t.Cleanup(stop)
	return stop
}

// (behaviour: tokens#revoked-means-revoked)
func TestNoReplicaDescribesRevokedTokens(t *testing.T) {
	for _, e := range introspectionEndings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := scene.Everything(t)
			stop := introspectRepeatedly(t, c)
			e.end(t, c)
			edges := c.Replicas(c.App)
			for i := range 100 {
				if i == 50 {
					stop()
				}
				a := expect.Must(edges[i%len(edges)].Introspect(t.Context(), c.Tokens.Access))(t)
				if a.Status != e.status || !strings.Contains(string(a.Body), e.has) {
					t.Fatalf("request %d: %s, want %d %s", i, a, e.status, e.has)
				}
			}
		})
	}
}
