package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// The answers that people, partners and operators got: what they have, and how to see whether
// each thing is accepted or refused.
type told struct {
	scene.Platform
	checks []check
}

// check is a thing that is accepted, or refused.
type check struct {
	what string
	// accepted reports whether it is, and the answer that says so.
	accepted func(t *testing.T) (bool, string)
	// ended is true once it was revoked.
	ended bool
}

// has notes a thing that is accepted now. The result marks it as ended.
func (l *told) has(t *testing.T, what string, accepted func(*testing.T) (bool, string)) (end func()) {
	t.Helper()
	if is, answer := accepted(t); !is {
		t.Fatalf("%s is refused from the start: %s", what, answer)
	}
	l.checks = append(l.checks, check{what: what, accepted: accepted})
	at := len(l.checks) - 1
	return func() { l.checks[at].ended = true }
}

// holds asserts that every thing is accepted, or refused if it was ended.
func (l *told) holds(t *testing.T) {
	t.Helper()
	for _, c := range l.checks {
		switch is, answer := c.accepted(t); {
		case is && c.ended:
			t.Errorf("%s was ended, and is accepted: %s", c.what, answer)
		case !is && !c.ended:
			t.Errorf("%s was not ended, and is refused: %s", c.what, answer)
		}
	}
}

// allEnded asserts that nothing is accepted any more.
func (l *told) allEnded(t *testing.T) {
	t.Helper()
	for i := range l.checks {
		l.checks[i].ended = true
	}
	l.holds(t)
}

// decided repeats a request until the answer is a decision; 503 means to try again.
func decided(t *testing.T, ask func(context.Context) (partner.Response, error)) (a partner.Response) {
	t.Helper()
	expect.Eventually(t, "a decision", func(ctx context.Context) (err error) {
		if a, err = ask(ctx); err == nil && a.Status == http.StatusServiceUnavailable {
			err = errors.New(a.String())
		}
		return err
	})
	return a
}

// get requests an address with a credential.
func get(t *testing.T, address, credential string, headers ...string) partner.Response {
	t.Helper()
	return decided(t, func(ctx context.Context) (partner.Response, error) {
		return partner.Get(ctx, address, credential, headers...)
	})
}

// reads accepts a bearer credential that opens a path.
func (l *told) reads(path, credential string) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := get(t, l.Stack.BaseURLs[0]+path, credential)
		return a.Status == http.StatusOK, a.String()
	}
}

// refreshes asks introspection about a refresh token, which does not use the token up.
func (l *told) refreshes(app partner.Client, token string) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := decided(t, func(ctx context.Context) (partner.Response, error) { return app.Introspect(ctx, token) })
		return bytes.Contains(a.Body, []byte(`"active":true`)), a.String()
	}
}

// authenticates accepts the secret of an app.
func (l *told) authenticates(app partner.Client) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := decided(t, func(ctx context.Context) (partner.Response, error) { return app.Introspect(ctx, "svc_at_none") })
		return a.Status == http.StatusOK, a.String()
	}
}

// opens accepts an address without a credential.
func (l *told) opens(address string) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := get(t, address, "")
		return a.Status == http.StatusOK, fmt.Sprintf("%d, %d bytes", a.Status, len(a.Body))
	}
}

// shows accepts the cookies that a browser has for a page now, whatever it gets later.
func (l *told) shows(t *testing.T, p *person.Person, page string) func(*testing.T) (bool, string) {
	t.Helper()
	var cookies []string
	for _, c := range p.Cookies(expect.Must(url.Parse(page))(t)) {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := get(t, page, "", "Cookie", strings.Join(cookies, "; "), "Accept", "text/html")
		return a.Status == http.StatusOK && !strings.Contains(string(a.Body), person.SignInButton+"</button>"), a.String()
	}
}

// connected is a person of the world who has connected the app "web".
func (l *told) connected(t *testing.T, ref string) scene.Connected {
	t.Helper()
	c := scene.Connected{Scene: l.Scene, App: l.Client(t, "web"), Person: l.NewPerson(t, ref)}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	return c
}

// signOut presses the button of a page.
func signOut(t *testing.T, p *person.Person, page string) {
	t.Helper()
	at := expect.Must(p.Open(t.Context(), page))(t)
	button := expect.Must(at.Page.One("button", "Sign out"))(t)
	expect.Must(p.Press(t.Context(), expect.Must(at.Page.FormOf(button))(t), button))(t)
}
