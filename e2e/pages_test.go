package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/person"
)

func TestPagesMayNotBeFramedAndRunNoInlineScript(t *testing.T) {
	t.Parallel()
	c := everything(t)
	signedOut := person.New("", "")
	for name, visit := range map[string]person.Visit{
		"home":        must(signedOut.Open(t.Context(), c.stack.AppURLs[0]+"/"))(t),
		"sign-in":     must(signedOut.Open(t.Context(), c.stack.AppURLs[0]+"/connections"))(t),
		"consent":     must(c.person.Open(t.Context(), c.app.URL(c.app.NewRequest(allScopes))))(t),
		"connections": must(c.person.Open(t.Context(), c.stack.AppURLs[0]+"/connections"))(t),
		"not found":   must(signedOut.Open(t.Context(), c.stack.AppURLs[0]+"/nothing-here"))(t),
	} {
		policy := visit.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "default-src 'none'") ||
			strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "unsafe-eval") {
			t.Errorf("%s: Content-Security-Policy %q", name, policy)
		}
		if visit.Header.Get("X-Request-Id") == "" || visit.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: x-request-id %q, X-Content-Type-Options %q", name, visit.Header.Get("X-Request-Id"), visit.Header.Get("X-Content-Type-Options"))
		}
	}
}

func TestFormsThatAnotherSiteSendsChangeNothing(t *testing.T) {
	t.Parallel()
	c := everything(t)
	base := must(url.Parse(c.stack.AppURLs[0]))(t)
	var cookies []string
	for _, cookie := range c.person.Cookies(base) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	connection := at(success(t, c.get(t, "/v1/me")), "connection", "id").(string)
	// As the sites that cannot read our pages would send it: the person's cookies
	// come along, the secret of the form does not.
	for _, path := range []string{"/disconnect", "/sharing", "/cv"} {
		for _, secret := range []string{"", "&csrf=", "&csrf=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
			a := raw(t, http.MethodPost, base.String()+"/connections/"+connection+path, formType, "to=off&cv=master"+secret,
				"Cookie", strings.Join(cookies, "; "), "Origin", "https://evil.example.com", "Sec-Fetch-Site", "cross-site")
			if a.Status != http.StatusForbidden {
				t.Errorf("POST %s with %q: %d, want 403", path, secret, a.Status)
			}
		}
	}
	c.alive(t, c.tokens.Access)
	success(t, c.get(t, "/v1/me/cv"))
}

func TestSessionIsRenewedAtSignInAndHiddenFromScript(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	layla := s.person(t, "layla")
	base := must(url.Parse(s.stack.AppURLs[0]))(t)
	page := must(layla.Open(t.Context(), base.String()+"/connections"))(t)
	before := cookieValues(layla, base)
	signedIn := must(layla.SignIn(t.Context(), page.Page))(t)
	if !signedIn.Page.Has("heading", "Connected apps") {
		t.Fatalf("not signed in: %s", signedIn.Page.Text())
	}
	renewed := false
	for value := range cookieValues(layla, base) {
		renewed = renewed || !before[value]
	}
	if !renewed {
		t.Error("the cookies of before the sign-in are those of the session")
	}
	if len(layla.SetCookies) == 0 {
		t.Error("no cookie was set")
	}
	for _, line := range layla.SetCookies {
		if !strings.Contains(line, "HttpOnly") || !strings.Contains(line, "SameSite") {
			t.Errorf("Set-Cookie: %s", line)
		}
	}
}

func cookieValues(p *person.Person, at *url.URL) map[string]bool {
	values := map[string]bool{}
	for _, c := range p.Cookies(at) {
		values[c.Value] = true
	}
	return values
}

func TestSignInRedirectsToNoOtherSite(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, name := range []string{"return", "next", "redirect", "to"} {
		for _, target := range []string{"https://evil.example.com/", "//evil.example.com/", `/\evil.example.com/`, "javascript:alert(1)", "/%5cevil.example.com"} {
			layla := s.person(t, "layla")
			page := must(layla.Open(t.Context(), s.stack.AppURLs[0]+"/sign-in?"+name+"="+url.QueryEscape(target)))(t)
			if page.Outside == nil && page.Page.Has("button", person.SignInButton) {
				page = must(layla.SignIn(t.Context(), page.Page))(t)
			}
			if page.Outside != nil {
				t.Errorf("%s=%s leads to %s", name, target, page.Outside)
			}
		}
	}
}

func TestSignedOutBrowserIsAskedToSignInAgain(t *testing.T) {
	t.Parallel()
	c := everything(t)
	page := must(c.person.Connections(t.Context(), c.stack.AppURLs[0]))(t)
	button := must(page.One("button", "Sign out"))(t)
	form := must(page.FormOf(button))(t)
	must(c.person.Press(t.Context(), form, button))(t)
	visit := must(c.person.Open(t.Context(), c.stack.AppURLs[0]+"/connections"))(t)
	if !visit.Page.Has("button", person.SignInButton) {
		t.Errorf("still signed in: %s", visit.Page.Text())
	}
	c.alive(t, c.tokens.Access) // signing out of the pages is no disconnect
}
