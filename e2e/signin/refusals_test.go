package signin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

func TestRequestOfAnUntrustedClientNeverRedirects(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
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
		a := scene.Open(t, app.BaseURL+c.target)
		if a.Status != c.status || a.Code() != c.code || a.Header.Get("Location") != "" {
			t.Errorf("%s: %s, Location %q", c.name, a, a.Header.Get("Location"))
		}
		expect.Refused(t, a, c.status, c.code)
		pageRefuses(t, c.name, c.target)
	}
}

// pageRefuses asserts that the consent page, which checks the request again, offers
// nothing to allow and does not redirect to another site.
func pageRefuses(t testing.TB, what, target string) {
	t.Helper()
	visit := expect.Must(person.New("", "").Open(t.Context(), suite.System.AppURLs[0]+target))(t)
	if visit.Outside != nil || visit.Status/100 != 4 || visit.Page.Has("button", person.Allow) || visit.Page.Has("button", person.SignInButton) {
		t.Errorf("%s: the page answers %d, outside %v", what, visit.Status, visit.Outside)
	}
}

func TestFaultsGoBackToTheAppWithStateAndIssuer(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	r := app.NewRequest("profile")
	long := strings.Repeat("A", 5000)
	for _, c := range []struct{ name, target, fault string }{
		{"response_type missing", authorizing(r, "response_type"), "invalid_request"},
		{"response_type doubled", authorizing(r, "", "response_type", "code"), "invalid_request"},
		{"response_type token", authorizing(r, "response_type", "response_type", "token"), "unsupported_response_type"},
		{"response_type too long", authorizing(r, "response_type", "response_type", long), "invalid_request"},
		{"response_type malformed", authorizing(r, "response_type", "response_type", "%ff"), "invalid_request"},
		// There is no default scope, so a missing scope is invalid (RFC 6749 §3.3).
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
		a := scene.Open(t, app.BaseURL+c.target)
		expect.Identified(t, a)
		back := expect.Must(url.Parse(a.Header.Get("Location")))(t)
		q := back.Query()
		if a.Status != http.StatusFound || !strings.HasPrefix(back.String(), world.Redirect+"?") || q.Get("error") != c.fault ||
			q.Get("error_description") == "" || q.Get("state") != r.State || q.Get("iss") != scene.Issuer() || q.Has("code") {
			t.Errorf("%s: %d, Location %s; want %s", c.name, a.Status, back, c.fault)
		}
		pageOffersNothing(t, c.name, c.target)
	}
}

// Everybody can register an app, so a fault alone sends no browser to its site.
func TestAFaultSendsNoBrowserToAnUnverifiedSite(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	for _, base := range []string{app.BaseURL, s.Stack.AppURLs[0]} {
		visit := expect.Must(person.New("", "").Open(t.Context(), base+authorizing(app.NewRequest("profile"), "code_challenge")))(t)
		if visit.Outside != nil || visit.Status != http.StatusBadRequest || !strings.Contains(visit.Page.Text(), "Go back to") {
			t.Errorf("%s: %d, outside %v", base, visit.Status, visit.Outside)
		}
	}
}

// pageOffersNothing asserts that the consent page does not accept a faulty request, if
// it is opened without the redirect of the authorization endpoint.
func pageOffersNothing(t testing.TB, what, target string) {
	t.Helper()
	visit := expect.Must(person.New("", "").Open(t.Context(), suite.System.AppURLs[0]+target))(t)
	if visit.Page != nil && (visit.Page.Has("button", person.Allow) || visit.Page.Has("button", person.SignInButton)) {
		t.Errorf("%s: the page goes on with it", what)
	}
}

func TestStateMayBeMissingAndIsRefusedWhenDoubledOrTooLong(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	r := app.NewRequest("profile")
	if a := scene.Open(t, app.BaseURL+authorizing(r, "state")); a.Status != http.StatusFound || strings.Contains(a.Header.Get("Location"), "error=") {
		t.Errorf("without state: %s, Location %s", a, a.Header.Get("Location"))
	}
	for name, target := range map[string]string{
		"doubled": authorizing(r, "", "state", "other"), "too long": authorizing(r, "state", "state", strings.Repeat("A", 5000)),
		"not text": authorizing(r, "state", "state", "%ff"),
	} {
		q := expect.Must(url.Parse(scene.Open(t, app.BaseURL+target).Header.Get("Location")))(t).Query()
		if q.Get("error") != "invalid_request" || q.Get("iss") != scene.Issuer() {
			t.Errorf("state %s: sent back with %v", name, q)
		}
	}
}
