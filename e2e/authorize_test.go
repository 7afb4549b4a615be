package e2e_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// authorizing is a request with one thing changed: remove a parameter, set it, or
// add it a second time.
func authorizing(r partner.Request, remove string, add ...string) string {
	q := maps.Clone(r.Params)
	q.Del(remove)
	query := q.Encode()
	for i := 0; i+1 < len(add); i += 2 {
		query += "&" + add[i] + "=" + add[i+1]
	}
	return "/oauth/authorize?" + query
}

func TestGoodAuthorizationRequestGoesToTheConsentPageIntact(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	r := app.NewRequest(allScopes)
	r.Params.Set("state", "with space & = ü +")
	r.Params.Set("prompt", "unknown parameters are kept too")
	for _, edge := range s.replicas(app) {
		a := open(t, edge.URL(r))
		identified(t, a)
		to := must(url.Parse(a.Header.Get("Location")))(t)
		if a.Status != http.StatusFound || !strings.HasPrefix(to.String(), system.AppURLs[0]+"/oauth/authorize?") {
			t.Fatalf("%s, Location %s", a, to)
		}
		matches(t, "query", anyMap(r.Params), anyMap(to.Query()))
	}
}

func anyMap(v url.Values) map[string]any {
	out := map[string]any{}
	for k := range v {
		out[k] = list(v[k])
	}
	return out
}

func TestRequestOfAnUntrustedClientNeverRedirects(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	r := app.NewRequest("profile")
	long := strings.Repeat("A", 5000)
	for _, c := range []struct {
		name, target string
		status       int
		code         string
	}{
		{"client_id missing", authorizing(r, "client_id"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"client_id empty", authorizing(r, "client_id", "client_id", ""), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"client_id doubled", authorizing(r, "", "client_id", app.ID), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"client_id malformed", authorizing(r, "client_id", "client_id", "x"), http.StatusUnauthorized, "OAUTH_INVALID_CLIENT"},
		{"client_id unknown", authorizing(r, "client_id", "client_id", app.ID[:len(app.ID)-1]+"_"), http.StatusUnauthorized, "OAUTH_INVALID_CLIENT"},
		{"client_id not text", authorizing(r, "client_id", "client_id", "%ff"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"client_id too long", authorizing(r, "client_id", "client_id", long), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri missing", authorizing(r, "redirect_uri"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri doubled", authorizing(r, "", "redirect_uri", url.QueryEscape(world.Redirect)), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri unregistered", authorizing(r, "redirect_uri", "redirect_uri", "https://evil.example.com/callback"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri with a slash", authorizing(r, "redirect_uri", "redirect_uri", world.Redirect+"/"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri with a query", authorizing(r, "redirect_uri", "redirect_uri", world.Redirect+"?x=1"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri with a fragment", authorizing(r, "redirect_uri", "redirect_uri", world.Redirect+"%23x"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri of another scheme", authorizing(r, "redirect_uri", "redirect_uri", "javascript:alert(1)"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri malformed", authorizing(r, "redirect_uri", "redirect_uri", "%zz"), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
		{"redirect_uri too long", authorizing(r, "redirect_uri", "redirect_uri", "https://partner.example.com/"+long), http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
	} {
		a := open(t, app.BaseURL+c.target)
		if a.Status != c.status || a.Code() != c.code || a.Header.Get("Location") != "" {
			t.Errorf("%s: %s, Location %q", c.name, a, a.Header.Get("Location"))
		}
		refused(t, a, c.status, c.code)
		pageRefuses(t, c.name, c.target)
	}
}

// pageRefuses asserts that the consent page checks again: it offers nothing to
// allow and redirects nowhere outside.
func pageRefuses(t testing.TB, what, target string) {
	t.Helper()
	visit := must(person.New("", "").Open(t.Context(), system.AppURLs[0]+target))(t)
	if visit.Outside != nil || visit.Status/100 != 4 || visit.Page.Has("button", person.Allow) || visit.Page.Has("button", person.SignInButton) {
		t.Errorf("%s: the page answers %d, outside %v", what, visit.Status, visit.Outside)
	}
}

func TestFaultsGoBackToTheAppWithStateAndIssuer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	r := app.NewRequest("profile")
	long := strings.Repeat("A", 5000)
	for _, c := range []struct{ name, target, fault string }{
		{"response_type missing", authorizing(r, "response_type"), "invalid_request"},
		{"response_type doubled", authorizing(r, "", "response_type", "code"), "invalid_request"},
		{"response_type token", authorizing(r, "response_type", "response_type", "token"), "unsupported_response_type"},
		{"response_type too long", authorizing(r, "response_type", "response_type", long), "invalid_request"},
		{"response_type malformed", authorizing(r, "response_type", "response_type", "%ff"), "invalid_request"},
		// RFC 6749 §3.3: without a default, a missing scope is an invalid one.
		{"scope missing", authorizing(r, "scope"), "invalid_scope"},
		{"scope blank", authorizing(r, "scope", "scope", "+"), "invalid_scope"},
		{"scope unknown", authorizing(r, "scope", "scope", "profile+admin"), "invalid_scope"},
		{"scope of companies", authorizing(r, "scope", "scope", "profile+jobs:read"), "invalid_scope"},
		{"scope doubled", authorizing(r, "", "scope", "email"), "invalid_request"},
		{"scope too long", authorizing(r, "scope", "scope", long), "invalid_request"},
		{"scope malformed", authorizing(r, "scope", "scope", "%00"), "invalid_request"},
		{"challenge missing", authorizing(r, "code_challenge"), "invalid_request"},
		{"challenge doubled", authorizing(r, "", "code_challenge", "x"), "invalid_request"},
		{"challenge short", authorizing(r, "code_challenge", "code_challenge", "abc"), "invalid_request"},
		{"challenge no base64url", authorizing(r, "code_challenge", "code_challenge", strings.Repeat("%2B", 43)), "invalid_request"},
		{"challenge too long", authorizing(r, "code_challenge", "code_challenge", long), "invalid_request"},
		{"method missing", authorizing(r, "code_challenge_method"), "invalid_request"},
		{"method plain", authorizing(r, "code_challenge_method", "code_challenge_method", "plain"), "invalid_request"},
		{"method unknown", authorizing(r, "code_challenge_method", "code_challenge_method", "S512"), "invalid_request"},
		{"method doubled", authorizing(r, "", "code_challenge_method", "S256"), "invalid_request"},
		{"method too long", authorizing(r, "code_challenge_method", "code_challenge_method", long), "invalid_request"},
	} {
		a := open(t, app.BaseURL+c.target)
		identified(t, a)
		back := must(url.Parse(a.Header.Get("Location")))(t)
		q := back.Query()
		if a.Status != http.StatusFound || !strings.HasPrefix(back.String(), world.Redirect+"?") || q.Get("error") != c.fault ||
			q.Get("error_description") == "" || q.Get("state") != r.State || q.Get("iss") != issuer() || q.Has("code") {
			t.Errorf("%s: %d, Location %s; want %s", c.name, a.Status, back, c.fault)
		}
		pageOffersNothing(t, c.name, c.target)
	}
}

// pageOffersNothing asserts that the consent page, opened past the edge, does not
// go on with a faulty request.
func pageOffersNothing(t testing.TB, what, target string) {
	t.Helper()
	visit := must(person.New("", "").Open(t.Context(), system.AppURLs[0]+target))(t)
	if visit.Page != nil && (visit.Page.Has("button", person.Allow) || visit.Page.Has("button", person.SignInButton)) {
		t.Errorf("%s: the page goes on with it", what)
	}
}

func TestStateMayBeMissingAndIsRefusedWhenDoubledOrTooLong(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	r := app.NewRequest("profile")
	if a := open(t, app.BaseURL+authorizing(r, "state")); a.Status != http.StatusFound || strings.Contains(a.Header.Get("Location"), "error=") {
		t.Errorf("without state: %s, Location %s", a, a.Header.Get("Location"))
	}
	for name, target := range map[string]string{
		"doubled": authorizing(r, "", "state", "other"), "too long": authorizing(r, "state", "state", strings.Repeat("A", 5000)),
		"not text": authorizing(r, "state", "state", "%ff"),
	} {
		q := must(url.Parse(open(t, app.BaseURL+target).Header.Get("Location")))(t).Query()
		if q.Get("error") != "invalid_request" || q.Get("iss") != issuer() {
			t.Errorf("state %s: sent back with %v", name, q)
		}
	}
}

func TestScopesThatTheAppMayNotRequestAreRefused(t *testing.T) {
	t.Parallel()
	dev := world.OneDeveloper()
	dev.Apps[0].Scopes = []string{"profile", "email"}
	w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}}
	s := &scene{stack: system, world: w, created: world.Import(t, system, w)}
	app := s.app(t, "web")
	q := must(url.Parse(open(t, app.URL(app.NewRequest("profile cv:read"))).Header.Get("Location")))(t).Query()
	if q.Get("error") != "invalid_scope" {
		t.Errorf("sent back with %v, want invalid_scope", q)
	}
}

func TestAppThatAsksNobodyForAnythingMayUseNoGrant(t *testing.T) {
	t.Parallel()
	dev := world.OneDeveloper()
	dev.Apps[0].Scopes = nil
	w := world.World{Developers: []world.Developer{dev}}
	s := &scene{stack: system, world: w, created: world.Import(t, system, w)}
	app := s.app(t, "web")
	r := app.NewRequest("profile")
	q := must(url.Parse(open(t, app.URL(r)).Header.Get("Location")))(t).Query()
	if q.Get("error") != "unauthorized_client" || q.Get("state") == "" || q.Get("iss") != issuer() {
		t.Errorf("sent back with %v, want unauthorized_client", q)
	}
	flatRefused(t, must(app.Exchange(t.Context(), "svc_ac_x", r.Verifier))(t), http.StatusBadRequest, "unauthorized_client")
	flatRefused(t, must(app.Refresh(t.Context(), "svc_rt_x", ""))(t), http.StatusBadRequest, "unauthorized_client")
	app.Secret = "svc_cs_x"
	flatRefused(t, must(app.Refresh(t.Context(), "svc_rt_x", ""))(t), http.StatusUnauthorized, "invalid_client")
}

func TestLoopbackRedirectTakesAnyPortAndPrivateSchemesWork(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	layla := s.person(t, "layla")
	for _, redirect := range []string{"http://127.0.0.1:49152/done", "http://127.0.0.1/done", "com.example.acme:/done"} {
		app := s.app(t, "mobile")
		app.Redirect = redirect
		if a := open(t, app.URL(app.NewRequest("profile"))); a.Status != http.StatusFound || !strings.HasPrefix(a.Header.Get("Location"), system.AppURLs[0]) {
			t.Errorf("%s: %s", redirect, a)
		}
	}
	app := s.app(t, "mobile")
	app.Redirect = "com.example.acme:/done"
	connect(t, app, layla, "profile", person.Choice{})
	for _, redirect := range []string{"http://127.0.0.1:49152/other", "https://127.0.0.1/done", "com.example.acme:/other", "http://localhost/done"} {
		app.Redirect = redirect
		refused(t, open(t, app.URL(app.NewRequest("profile"))), http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
	}
}

func TestUnknownPathsAndMethodsAreAnsweredInTheEnvelope(t *testing.T) {
	t.Parallel()
	base := system.BaseURLs[0]
	for _, path := range []string{"/", "/v1", "/v1/", "/v1/nothing", "/v1/me/", "/v1/me/cv.doc", "/v1/cv-links/", "/oauth/", "/oauth/nothing", "/v2/me"} {
		refused(t, open(t, base+path), http.StatusNotFound, "NOT_FOUND")
	}
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf", "/v1/cv-links/x", "/oauth/authorize", "/.well-known/oauth-authorization-server"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			a := raw(t, method, base+path, formType, "a=b", "X-Http-Method-Override", "GET")
			refused(t, a, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
			if allow := a.Header.Get("Allow"); !strings.Contains(allow, "GET") {
				t.Errorf("%s %s: Allow %q", method, path, allow)
			}
		}
	}
}
