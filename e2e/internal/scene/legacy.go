package scene

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// Legacy is a world with one person, whose apps may use the legacy interface.
type Legacy struct {
	*Scene
	App    partner.Legacy
	Person *person.Person
}

// NewLegacy imports a person and the account of world.LegacyDeveloper.
func NewLegacy(t testing.TB, who world.Person) Legacy {
	t.Helper()
	return LegacyOn(t, suite.System, who)
}

// LegacyOn is like NewLegacy, on a given stack.
func LegacyOn(t testing.TB, on *stack.Stack, who world.Person) Legacy {
	t.Helper()
	return LegacyOf(t, on, world.World{People: []world.Person{who}, Developers: []world.Developer{world.LegacyDeveloper()}})
}

// LegacyOf imports a world that contains an app "older". The first person in the world uses that app.
func LegacyOf(t testing.TB, on *stack.Stack, w world.World) Legacy {
	t.Helper()
	s := Of(t, on, w)
	l := Legacy{Scene: s, Person: s.NewPerson(t, w.People[0].Ref)}
	l.App = l.LegacyClient(t, "older")
	return l
}

// LegacyClient returns an app's client for the legacy interface of the first replica.
func (l Legacy) LegacyClient(t testing.TB, ref string) partner.Legacy {
	t.Helper()
	c := l.Client(t, ref)
	return partner.Legacy{URL: l.Stack.LegacyURLs[0], ID: c.ID, Secret: c.Secret, Redirect: c.Redirect}
}

// Everywhere returns the app's client for every replica.
func (l Legacy) Everywhere() (all []partner.Legacy) {
	for _, u := range l.Stack.LegacyURLs {
		all = append(all, l.App.At(u))
	}
	return all
}

// Authorize submits the pages of an authorization request and returns the query of the redirect.
func (l Legacy) Authorize(t testing.TB, app partner.Legacy, params url.Values, choice person.Choice) url.Values {
	t.Helper()
	back := expect.Must(l.Person.Authorize(t.Context(), app.Authorize(params), choice))(t)
	if !strings.HasPrefix(back.String(), app.Redirect+"?") {
		t.Fatalf("redirected to %s", back)
	}
	return back.Query()
}

// Code starts an authorization request from the app, approves it and returns the code.
func (l Legacy) Code(t testing.TB, choice person.Choice) string {
	t.Helper()
	params := l.App.Request()
	got := l.Authorize(t, l.App, params, choice)
	if got.Get("code") == "" || got.Get("state") != params.Get("state") || len(got) != 2 {
		t.Fatalf("the redirect has the query %v, want only a code and the state", got)
	}
	return got.Get("code")
}

// Connect connects the app and returns the token.
func (l Legacy) Connect(t testing.TB, choice person.Choice) string {
	t.Helper()
	return l.Token(t, expect.Must(l.App.Exchange(t.Context(), l.Code(t, choice)))(t))
}

// Token asserts a token response and returns the token.
func (l Legacy) Token(t testing.TB, a partner.Response) string {
	t.Helper()
	data := expect.LegacySuccess(t, a)
	expect.Matches(t, "data", map[string]any{
		"access_token": expect.Identifier, "token_type": "Bearer", "expires_in": json.Number("3600"), "scope": "profile:read",
	}, data)
	if a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the token response may be cached: %v", a.Header)
	}
	token, _ := data["access_token"].(string)
	if !strings.HasPrefix(token, "svc_at_") {
		t.Errorf("access token %q", token)
	}
	return token
}

// Disconnect disconnects the app, on the connected apps page.
func (l Legacy) Disconnect(t testing.TB) {
	t.Helper()
	if err := l.Person.Disconnect(t.Context(), l.Stack.AppURLs[0], l.AppName(t, "older")); err != nil {
		t.Fatal(err)
	}
}

// Alive asserts that every replica accepts a token.
func (l Legacy) Alive(t testing.TB, token string) {
	t.Helper()
	for _, c := range l.Everywhere() {
		expect.LegacySuccess(t, expect.Must(c.Profile(t.Context(), token))(t))
	}
}

// Dead asserts that every replica rejects a token.
func (l Legacy) Dead(t testing.TB, token string) {
	t.Helper()
	for _, c := range l.Everywhere() {
		expect.LegacyRefused(t, expect.Must(c.Profile(t.Context(), token))(t), http.StatusUnauthorized, "UNAUTHORIZED")
		expect.LegacyRefused(t, expect.Must(c.Revoke(t.Context(), token))(t), http.StatusUnauthorized, "UNAUTHORIZED")
	}
}
