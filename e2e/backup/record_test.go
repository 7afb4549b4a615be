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

// record holds what people, partners and operators have been granted, and for each item a check that reports
// whether it is still accepted.
type record struct {
	scene.Platform
	checks []check
}

// check is an item that is accepted until it is revoked.
type check struct {
	what string
	// accepted reports whether the item is accepted, with the response as evidence.
	accepted func(t *testing.T) (bool, string)
	// revoked is set when the item has been revoked.
	revoked bool
}

// add asserts that an item is accepted and records it. Call revoked after revoking the item.
func (l *record) add(t *testing.T, what string, accepted func(*testing.T) (bool, string)) (revoked func()) {
	t.Helper()
	if is, res := accepted(t); !is {
		t.Fatalf("%s is rejected from the start: %s", what, res)
	}
	l.checks = append(l.checks, check{what: what, accepted: accepted})
	at := len(l.checks) - 1
	return func() { l.checks[at].revoked = true }
}

// check asserts that every item is rejected if it was revoked, and accepted otherwise.
func (l *record) check(t *testing.T) {
	t.Helper()
	for _, c := range l.checks {
		switch is, res := c.accepted(t); {
		case is && c.revoked:
			t.Errorf("%s was revoked, but is accepted: %s", c.what, res)
		case !is && !c.revoked:
			t.Errorf("%s was not revoked, but is rejected: %s", c.what, res)
		}
	}
}

// allRevoked asserts that no item is accepted.
func (l *record) allRevoked(t *testing.T) {
	t.Helper()
	for i := range l.checks {
		l.checks[i].revoked = true
	}
	l.check(t)
}

// decided repeats a request while the response is a 503.
func decided(t *testing.T, send func(context.Context) (partner.Response, error)) (a partner.Response) {
	t.Helper()
	expect.Eventually(t, "a response other than 503", func(ctx context.Context) (err error) {
		if a, err = send(ctx); err == nil && a.Status == http.StatusServiceUnavailable {
			err = errors.New(a.String())
		}
		return err
	})
	return a
}

// get requests a URL with a credential, and retries after a 503.
func get(t *testing.T, address, credential string, headers ...string) partner.Response {
	t.Helper()
	return decided(t, func(ctx context.Context) (partner.Response, error) {
		return partner.Get(ctx, address, credential, headers...)
	})
}

// reads returns a check that reports whether a bearer credential can read a path.
func (l *record) reads(path, credential string) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := get(t, l.Stack.BaseURLs[0]+path, credential)
		return a.Status == http.StatusOK, a.String()
	}
}

// refreshes returns a check that reports whether a refresh token is valid. It uses introspection, which does not
// consume the token.
func (l *record) refreshes(app partner.Client, token string) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := decided(t, func(ctx context.Context) (partner.Response, error) { return app.Introspect(ctx, token) })
		return bytes.Contains(a.Body, []byte(`"active":true`)), a.String()
	}
}

// authenticates returns a check that reports whether an app's secret is accepted.
func (l *record) authenticates(app partner.Client) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := decided(t, func(ctx context.Context) (partner.Response, error) { return app.Introspect(ctx, "svc_at_none") })
		return a.Status == http.StatusOK, a.String()
	}
}

// opens returns a check that reports whether a URL can be opened without a credential.
func (l *record) opens(address string) func(*testing.T) (bool, string) {
	return func(t *testing.T) (bool, string) {
		t.Helper()
		a := get(t, address, "")
		return a.Status == http.StatusOK, fmt.Sprintf("%d, %d bytes", a.Status, len(a.Body))
	}
}

// shows returns a check that reports whether a page is shown with the cookies that the browser has now. Later
// changes to the cookies have no effect on the check.
func (l *record) shows(t *testing.T, p *person.Person, page string) func(*testing.T) (bool, string) {
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

// connected connects the app "web" for the person with the given ref.
func (l *record) connected(t *testing.T, ref string) scene.Connected {
	t.Helper()
	c := scene.Connected{Scene: l.Scene, App: l.Client(t, "web"), Person: l.NewPerson(t, ref)}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	return c
}

// signOut presses the sign-out button of a page.
func signOut(t *testing.T, p *person.Person, page string) {
	t.Helper()
	at := expect.Must(p.Open(t.Context(), page))(t)
	button := expect.Must(at.Page.One("button", "Sign out"))(t)
	expect.Must(p.Press(t.Context(), expect.Must(at.Page.FormOf(button))(t), button))(t)
}
