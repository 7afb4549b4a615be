package scene

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// Connected is a person who has connected an app.
type Connected struct {
	*Scene
	App    partner.Client
	Person *person.Person
	Tokens partner.Tokens
}

// Everything connects the person that world.Full returns to the confidential app, with every scope and the
// photo.
func Everything(t testing.TB) Connected {
	t.Helper()
	s := New(t)
	c := Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}
	c.Tokens = Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	return c
}

// Issuer returns the "iss" that responses of the shared stack must contain (RFC 9207).
func Issuer() string { return suite.System.BaseURLs[0] }

// Code approves an authorization request and returns the code.
func Code(t testing.TB, c partner.Client, p *person.Person, r partner.Request, choice person.Choice) string {
	t.Helper()
	back := expect.Must(p.Authorize(t.Context(), c.URL(r), choice))(t)
	got := back.Query()
	if got.Get("code") == "" || got.Get("state") != r.State || got.Get("iss") != c.Issuer {
		t.Fatalf("redirected to %s; want a code, state %q and iss %q", back, r.State, c.Issuer)
	}
	return got.Get("code")
}

// Connect grants the scopes and returns the tokens.
func Connect(t testing.TB, c partner.Client, p *person.Person, scope string, choice person.Choice) partner.Tokens {
	t.Helper()
	r := c.NewRequest(scope)
	response := expect.Must(c.Exchange(t.Context(), Code(t, c, p, r, choice), r.Verifier))(t)
	return expect.Must(response.Tokens())(t)
}

// TryConnect is like Connect but returns errors, for use in other goroutines and during faults.
func TryConnect(ctx context.Context, c partner.Client, p *person.Person, scope string) (partner.Tokens, error) {
	r := c.NewRequest(scope)
	back, err := p.Authorize(ctx, c.URL(r), person.Choice{})
	if err != nil {
		return partner.Tokens{}, err
	}
	response, err := c.Exchange(ctx, back.Query().Get("code"), r.Verifier)
	if err != nil {
		return partner.Tokens{}, err
	}
	return response.Tokens()
}

// Granted reports whether the space-separated scopes contain scope.
func Granted(scopes, scope string) bool { return slices.Contains(strings.Fields(scopes), scope) }

// Get requests a path with the access token from the first replica.
func (c Connected) Get(t testing.TB, path string, headers ...string) partner.Response {
	t.Helper()
	return expect.Must(c.App.Get(t.Context(), path, c.Tokens.Access, headers...))(t)
}

// Link returns the durable link in the shared CV.
func (c Connected) Link(t testing.TB) string {
	t.Helper()
	data := expect.Success(t, c.Get(t, "/v1/me/cv"))
	link, _ := expect.At(data, "pdf", "url").(string)
	if _, err := url.Parse(link); link == "" || err != nil {
		t.Fatalf("no durable link in %v", data["pdf"])
	}
	return link
}

// Share turns CV sharing on or off, on the connected apps page.
func (c Connected) Share(t testing.TB, on bool) {
	t.Helper()
	if err := c.Person.Share(t.Context(), c.Stack.AppURLs[0], c.AppName(t, "web"), on); err != nil {
		t.Fatal(err)
	}
}

// Disconnect disconnects the app, on the connected apps page.
func (c Connected) Disconnect(t testing.TB) {
	t.Helper()
	if err := c.Person.Disconnect(t.Context(), c.Stack.AppURLs[0], c.AppName(t, "web")); err != nil {
		t.Fatal(err)
	}
}

// Alive asserts that every replica accepts an access token.
func (c Connected) Alive(t testing.TB, access string) {
	t.Helper()
	for _, at := range c.Replicas(c.App) {
		if a := expect.Must(at.Get(t.Context(), "/v1/me", access))(t); a.Status != http.StatusOK {
			t.Errorf("%s: the access token is not valid: %s", at.BaseURL, a)
		}
	}
}

// Dead asserts that every replica rejects an access token, and that introspection reports it as
// inactive.
func (c Connected) Dead(t testing.TB, access string) {
	t.Helper()
	for _, at := range c.Replicas(c.App) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			expect.Refused(t, expect.Must(at.Get(t.Context(), path, access))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
		}
		expect.Inactive(t, expect.Must(at.Introspect(t.Context(), access))(t))
	}
}

// RefreshDead asserts that every replica rejects a refresh token. The attempts revoke the token's
// family.
func (c Connected) RefreshDead(t testing.TB, refresh string) {
	t.Helper()
	for _, at := range c.Replicas(c.App) {
		expect.Inactive(t, expect.Must(at.Introspect(t.Context(), refresh))(t))
		expect.FlatRefused(t, expect.Must(at.Refresh(t.Context(), refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	}
}
