package console

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestARequestWithoutTheScopeIsToldWhichOneTheRouteNeedsAndWhatItsKeyHas(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(1)
	back.keys = []*authv1.ApiKey{{Id: "key_1", Name: "Laptop <i>", Scopes: []string{"companies:read", "jobs:read"}}}
	b := signedIn(t, back, member(viewer, "dev_1"))
	e := back.logged[0]
	e.Method, e.Route, e.Status, e.ErrorCode, e.ResourceId = "POST", "/v1/companies", 403, "API_KEY_INSUFFICIENT_SCOPE", ""
	wantAll(t, body(t, b.get("/requests/req_0")),
		"The key lacks the scope.", "This route needs <code>companies:write</code>.",
		"The key <bdi>Laptop &lt;i&gt;</bdi> has <code>companies:read</code>, <code>jobs:read</code>.", `<p><a href="/apps/app_1/keys">API keys of <bdi>`)

	e.ApiKeyId, e.ConnectionId, e.Method, e.ErrorCode = "", "con_1", "HEAD", "OAUTH_INSUFFICIENT_SCOPE"
	for _, route := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
		e.Route = route
		wantAll(t, body(t, b.get("/requests/req_0")), "This route needs <code>cv:read</code>.",
			"may ask people for <code>profile</code>, <code>email</code>; a person may have allowed fewer.", `<p><a href="/apps/app_1">Scopes of <bdi>`)
	}
	for name, change := range map[string]func(){
		"a route that the contract does not have": func() { e.Route = "/v1/else" },
		"another refusal":                         func() { e.Route, e.ErrorCode = "/v1/me/cv", "DEVELOPER_ACCOUNT_SUSPENDED" },
	} {
		change()
		if page := body(t, b.get("/requests/req_0")); strings.Contains(page, "This route needs") {
			t.Errorf("%s is said to lack a scope", name)
		}
	}
}

func TestEveryRouteOfTheContractHasItsScope(t *testing.T) {
	t.Parallel()
	routes, scopes, err := readRoutes()
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		known := scopes["GET "+route] + scopes["POST "+route] + scopes["PATCH "+route]
		if credential := strings.HasSuffix(route, "{token}"); strings.HasPrefix(route, "/v1/") && (known == "") != credential {
			t.Errorf("%s needs %q", route, known)
		}
	}
}

func TestARefusalOfALimitIsToldWithItsFigures(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(1)
	b := signedIn(t, back, member(viewer, "dev_1"))
	e := back.logged[0]
	e.Status, e.Metered, e.ErrorCode, e.MinuteLeft = 429, false, "RATE_LIMIT_EXCEEDED", proto.Int32(0)
	for limit, want := range map[string]string{
		"minute": "the account&#39;s minute: 300 requests", "day": "the account&#39;s day: 20,000 requests",
		"api_key_burst": "bursts of the app&#39;s keys: 20 a second", "api_key_sustained": "the lasting rate of the app&#39;s keys: 3,000 a minute",
		"user_token_burst": "bursts of the connection", "one of later": "one of later",
	} {
		e.RefusedBy = limit
		page := body(t, b.get("/requests/req_0"))
		wantAll(t, page, "It was refused by <strong>"+want+"</strong>.", "<dd><strong>"+want+"</strong></dd>", "<dd>0 of 300</dd>", "<dt>Counted against the quota</dt><dd>no</dd>")
		for _, word := range []string{"surface", "tier", "budget", "spent"} {
			if _, content, _ := strings.Cut(page, "<h1"); strings.Contains(strings.ToLower(content), word) {
				t.Errorf("%s: the page says %q", limit, word)
			}
		}
	}
	e.MinuteLeft = proto.Int32(500)
	wantAll(t, body(t, b.get("/requests/req_0")), "<dd>500</dd>") // the plan has become smaller since
}
