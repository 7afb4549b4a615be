package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// wholeProfile is the name of the one thing to share on the older interface's
// consent page.
const wholeProfile = "Your whole profile and CV"

// older is a world whose apps may use the older interface, and one person in it.
type older struct {
	*scene
	app    partner.Legacy
	person *person.Person
}

func newOlder(t testing.TB, who world.Person) older {
	t.Helper()
	return olderOn(t, system, who)
}

func olderOn(t testing.TB, on *stack.Stack, who world.Person) older {
	t.Helper()
	w := world.World{People: []world.Person{who}, Developers: []world.Developer{world.LegacyDeveloper()}}
	s := &scene{stack: on, world: w, created: world.Import(t, on, w)}
	o := older{scene: s, person: s.person(t, who.Ref)}
	o.app = o.client(t, "older")
	return o
}

// client is an app at the first replica of the older interface.
func (o older) client(t testing.TB, ref string) partner.Legacy {
	t.Helper()
	c := o.scene.app(t, ref)
	return partner.Legacy{URL: o.stack.LegacyURLs[0], ID: c.ID, Secret: c.Secret, Redirect: c.Redirect}
}

// everywhere is the app at every replica.
func (o older) everywhere() (all []partner.Legacy) {
	for _, u := range o.stack.LegacyURLs {
		all = append(all, o.app.At(u))
	}
	return all
}

// answered has the person answer a request, and gives the query that comes back.
func (o older) answered(t testing.TB, c partner.Legacy, params url.Values, choice person.Choice) url.Values {
	t.Helper()
	back := must(o.person.Authorize(t.Context(), c.Authorize(params), choice))(t)
	if !strings.HasPrefix(back.String(), c.Redirect+"?") {
		t.Fatalf("the browser came back to %s", back)
	}
	return back.Query()
}

// code has the person allow a request of the app.
func (o older) code(t testing.TB, choice person.Choice) string {
	t.Helper()
	params := o.app.Request()
	got := o.answered(t, o.app, params, choice)
	if got.Get("code") == "" || got.Get("state") != params.Get("state") || len(got) != 2 {
		t.Fatalf("the app was sent %v, want a code and the state alone", got)
	}
	return got.Get("code")
}

// connect goes the whole way to a token.
func (o older) connect(t testing.TB, choice person.Choice) string {
	t.Helper()
	return o.token(t, must(o.app.Exchange(t.Context(), o.code(t, choice)))(t))
}

// token asserts a token response and gives the token.
func (o older) token(t testing.TB, a partner.Answer) string {
	t.Helper()
	data := olderSuccess(t, a)
	matches(t, "data", map[string]any{
		"access_token": identifier, "token_type": "Bearer", "expires_in": json.Number("3600"), "scope": "profile:read",
	}, data)
	if a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a token may be cached: %v", a.Header)
	}
	token, _ := data["access_token"].(string)
	if !strings.HasPrefix(token, "svc_at_") {
		t.Errorf("access token %q", token)
	}
	return token
}

// reads asserts that the token opens the profile at every replica.
func (o older) reads(t testing.TB, token string) {
	t.Helper()
	for _, c := range o.everywhere() {
		olderSuccess(t, must(c.Profile(t.Context(), token))(t))
	}
}

// dead asserts that the token opens nothing at any replica.
func (o older) dead(t testing.TB, token string) {
	t.Helper()
	for _, c := range o.everywhere() {
		olderRefused(t, must(c.Profile(t.Context(), token))(t), http.StatusUnauthorized, "UNAUTHORIZED")
		olderRefused(t, must(c.Revoke(t.Context(), token))(t), http.StatusUnauthorized, "UNAUTHORIZED")
	}
}

// olderSuccess asserts a 200 with data in the older envelope, and gives the data.
func olderSuccess(t testing.TB, a partner.Answer) map[string]any {
	t.Helper()
	identified(t, a)
	body := must(a.JSON())(t)
	hasKeys(t, "envelope", body, "success", "data")
	data, ok := body["data"].(map[string]any)
	if a.Status != http.StatusOK || body["success"] != true || !ok {
		t.Fatalf("no success: %s", a)
	}
	return data
}

// olderRefused asserts a failure in the older envelope.
func olderRefused(t testing.TB, a partner.Answer, status int, code string) {
	t.Helper()
	identified(t, a)
	body := must(a.JSON())(t)
	hasKeys(t, "envelope", body, "success", "message", "code")
	if message, _ := body["message"].(string); a.Status != status || body["success"] != false || body["code"] != code || message == "" {
		t.Errorf("%s, want %d %s", a, status, code)
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: headers %v", code, a.Header)
	}
	challenged(t, a)
	harmless(t, a)
}
