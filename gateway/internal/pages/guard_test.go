package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
)

// The tests of package web cover every kind of forgery. This test shows that the forms on these
// pages use its protection.
func TestForgedFormsChangeNothing(t *testing.T) {
	t.Parallel()
	foreign := func(r *http.Request) {
		r.Header.Set("Origin", "https://evil.example")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	}
	for path, form := range map[string]url.Values{
		pagestest.ConsentPath:           {"decision": {"allow"}, "cv": {"master"}},
		"/connections/con_1/cv":         {"cv": {"cv_2"}},
		"/connections/con_1/sharing":    {"to": {"off"}},
		"/connections/con_1/disconnect": {},
		"/sign-out":                     {},
	} {
		v := pagestest.SignedIn(t)
		form.Set("csrf", pagestest.FormToken(pagestest.SignInForms, v.Session()))
		if a := v.Send(http.MethodPost, path, form); a.StatusCode != http.StatusForbidden {
			t.Errorf("the token of a different form at %s: status %d, Location %q", path, a.StatusCode, a.Header.Get("Location"))
		}
		form.Set("csrf", v.FormToken())
		if a := v.Send(http.MethodPost, path, form, foreign); a.StatusCode != http.StatusForbidden {
			t.Errorf("a cross-site request to %s: status %d, Location %q", path, a.StatusCode, a.Header.Get("Location"))
		}
		if len(v.Backend.Authorized)+len(v.Backend.Updated) != 0 || len(v.Backend.Connections) != 3 || len(v.Backend.Sessions) != 1 {
			t.Errorf("a forged form at %s changed something", path)
		}
	}
}

func TestOriginIsAcceptedBehindProxy(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	a := v.Post("/connections/con_1/sharing", url.Values{"to": {"off"}}, func(r *http.Request) {
		r.Host = "10.0.0.3:8081"
		r.Header.Del("Sec-Fetch-Site")
	})
	if a.StatusCode != http.StatusSeeOther {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
}

func TestPagesHaveSecurityHeaders(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for path, cached := range map[string]string{
		"/": "no-store", "/connections": "no-store", pagestest.ConsentPath: "no-store", "/nowhere": "no-store",
		"/p/layla": "no-cache", "/static/none": "no-store", "/favicon.ico": "public, max-age=86400",
	} {
		a := v.Get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "same-origin", "Permissions-Policy": "camera=()", "Cross-Origin-Opener-Policy": "same-origin",
			"Cache-Control": cached,
		} {
			if got := a.Header.Get(name); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s is %q, want prefix %q", path, name, got, want)
			}
		}
		csp := a.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "base-uri 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: the policy is %s", path, csp)
		}
		if path != "/favicon.ico" && a.Header.Get("Vary") != "Accept-Language, Cookie" {
			t.Errorf("%s: Vary is %q", path, a.Header.Get("Vary"))
		}
	}
}
