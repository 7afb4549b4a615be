package signin_test

import (
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

func TestPagesMayNotBeFramedAndRunNoInlineScript(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	signedOut := person.New("", "")
	for name, visit := range map[string]person.Visit{
		"home":        expect.Must(signedOut.Open(t.Context(), c.Stack.AppURLs[0]+"/"))(t),
		"sign-in":     expect.Must(signedOut.Open(t.Context(), c.Stack.AppURLs[0]+"/connections"))(t),
		"consent":     expect.Must(c.Person.Open(t.Context(), c.App.URL(c.App.NewRequest(world.EveryScope))))(t),
		"connections": expect.Must(c.Person.Open(t.Context(), c.Stack.AppURLs[0]+"/connections"))(t),
		"not found":   expect.Must(signedOut.Open(t.Context(), c.Stack.AppURLs[0]+"/nothing-here"))(t),
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
	c := scene.Everything(t)
	base := expect.Must(url.Parse(c.Stack.AppURLs[0]))(t)
	var cookies []string
	for _, cookie := range c.Person.Cookies(base) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	connection := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection", "id").(string)
	// Another site can have the browser send a form with the person's cookies, but cannot
	// read the secret in the page's own form.
	for _, path := range []string{"/disconnect", "/sharing", "/cv"} {
		for _, secret := range []string{"", "&csrf=", "&csrf=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
			a := scene.Raw(t, http.MethodPost, base.String()+"/connections/"+connection+path, partner.FormType, "to=off&cv=master"+secret,
				"Cookie", strings.Join(cookies, "; "), "Origin", "https://evil.example.com", "Sec-Fetch-Site", "cross-site")
			if a.Status != http.StatusForbidden {
				t.Errorf("POST %s with %q: %d, want 403", path, secret, a.Status)
			}
		}
	}
	c.Alive(t, c.Tokens.Access)
	expect.Success(t, c.Get(t, "/v1/me/cv"))
}
