package pages_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
)

// everyPost lists every form of a signed-in person.
var everyPost = map[string]url.Values{
	pagestest.ConsentPath:           {"decision": {"allow"}, "cv": {"master"}},
	"/connections/con_1/cv":         {"cv": {"cv_2"}},
	"/connections/con_1/sharing":    {"to": {"off"}},
	"/connections/con_1/disconnect": {},
	"/sign-out":                     {},
}

func TestForgedFormsAreRefusedAndChangeNothing(t *testing.T) {
	t.Parallel()
	forgeries := map[string]func(*pagestest.Visitor, *http.Request, url.Values){
		"no token":    func(_ *pagestest.Visitor, _ *http.Request, f url.Values) { f.Del("csrf") },
		"empty token": func(_ *pagestest.Visitor, _ *http.Request, f url.Values) { f.Set("csrf", "") },
		"another session's token": func(v *pagestest.Visitor, _ *http.Request, f url.Values) {
			f.Set("csrf", pagestest.FormToken(pagestest.SessionForms, "another"))
		},
		"the sign-in form's token": func(v *pagestest.Visitor, _ *http.Request, f url.Values) {
			f.Set("csrf", pagestest.FormToken(pagestest.SignInForms, v.Session()))
		},
		"foreign origin": func(_ *pagestest.Visitor, r *http.Request, _ url.Values) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "https://evil.example")
		},
		"opaque origin": func(_ *pagestest.Visitor, r *http.Request, _ url.Values) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "null")
		},
		"cross-site": func(_ *pagestest.Visitor, r *http.Request, _ url.Values) {
			r.Header.Set("Origin", "https://evil.example")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		},
		"same site, other host": func(_ *pagestest.Visitor, r *http.Request, _ url.Values) {
			r.Header.Set("Origin", "https://other.vitae.example")
			r.Header.Set("Sec-Fetch-Site", "same-site")
		},
	}
	for name, forge := range forgeries {
		for path, fields := range everyPost {
			v := pagestest.Visit(t)
			v.SignIn()
			form := url.Values{"csrf": {v.FormToken()}}
			for key, values := range fields {
				form[key] = values
			}
			probe, _ := http.NewRequest(http.MethodPost, "/", nil)
			forge(v, probe, form) // the change to the form
			a := v.Send(http.MethodPost, path, form, func(r *http.Request) { forge(v, r, url.Values{}) })
			if a.StatusCode != http.StatusForbidden {
				t.Errorf("%s at %s: %d to %q", name, path, a.StatusCode, a.Header.Get("Location"))
			}
			if len(v.Backend.Authorized)+len(v.Backend.Updated) != 0 || len(v.Backend.Connections) != 3 || len(v.Backend.Sessions) != 1 {
				t.Errorf("%s at %s changed something", name, path)
			}
		}
	}
}

func TestPagesBehindAProxyKnowTheirOwnOrigin(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	a := v.Post("/connections/con_1/sharing", url.Values{"to": {"off"}}, func(r *http.Request) {
		r.Host = "10.0.0.3:8081"
		r.Header.Del("Sec-Fetch-Site")
	})
	if a.StatusCode != http.StatusSeeOther {
		t.Errorf("%d %s", a.StatusCode, a.Text())
	}
}

func TestPersonalPagesNeedASession(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/connections", "/connections/con_1/disconnect"} {
		v := pagestest.Visit(t)
		v.Cookies["__Host-vitae_session"] = &http.Cookie{Name: "__Host-vitae_session", Value: "dead"}
		a := v.Get(path)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/sign-in" || len(v.Cookies) != 0 {
			t.Errorf("%s: %d to %q", path, a.StatusCode, a.Header.Get("Location"))
		}
	}
}

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
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
				t.Errorf("%s: %s: %q", path, name, got)
			}
		}
		csp := a.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "base-uri 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: %s", path, csp)
		}
		if path != "/favicon.ico" && a.Header.Get("Vary") != "Accept-Language, Cookie" {
			t.Errorf("%s: Vary %q", path, a.Header.Get("Vary"))
		}
	}
}

func TestRequestsThatNoPageMakesAreAnsweredInTheSameDesign(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	big := url.Values{"cv": {strings.Repeat("x", web.MaxForm)}}
	for _, tt := range []struct {
		name   string
		ask    func() pagestest.Response
		status int
		text   string
	}{
		{"unknown path", func() pagestest.Response { return v.Get("/nowhere") }, 404, "Page not found"},
		{"wrong method", func() pagestest.Response { return v.Send(http.MethodDelete, "/connections", nil) }, 405, "That doesn’t work here"},
		{"get of a form", func() pagestest.Response { return v.Get("/connections/con_1/cv") }, 405, "That doesn’t work here"},
		{"too large", func() pagestest.Response { return v.Post("/connections/con_1/cv", big) }, 413, "That’s too much"},
		{"another type", func() pagestest.Response {
			return v.Post("/sign-out", url.Values{}, func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
		}, 415, "Something went wrong"},
		{"not text", func() pagestest.Response { return v.Post("/connections/con_1/cv", url.Values{"cv": {"\xff"}}) }, 400, "Something went wrong"},
		{"zero byte", func() pagestest.Response { return v.Post("/connections/con_1/cv", url.Values{"cv": {"a\x00"}}) }, 400, "Something went wrong"},
		{"no such decision", func() pagestest.Response { return v.Post(pagestest.ConsentPath, url.Values{}) }, 400, "Something went wrong"},
		{"no such state", func() pagestest.Response { return v.Post("/connections/con_1/sharing", url.Values{"to": {"x"}}) }, 400, "Something went wrong"},
	} {
		a := tt.ask()
		if a.StatusCode != tt.status || !strings.Contains(a.Text(), tt.text) {
			t.Errorf("%s: %d %s", tt.name, a.StatusCode, a.Text())
		}
	}
	for path, allow := range map[string]string{"/connections": "GET, HEAD", "/sign-out": "POST", "/sign-in": "GET, HEAD, POST"} {
		if got := v.Send(http.MethodPut, path, nil).Header.Get("Allow"); got != allow {
			t.Errorf("%s: Allow %q", path, got)
		}
	}
}

func TestFailuresBehindThePagesShowNothingOfTheirCause(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err    error
		status int
		text   string
	}{
		{errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "10.0.0.7:9101 refused"), 503, "Vitae is temporarily unavailable"},
		{errors.New("pq: relation 10.0.0.7 missing"), 500, "Something went wrong on our side"},
		{errs.New(errs.Internal, "INTERNAL_ERROR", "10.0.0.7"), 500, "Something went wrong on our side"},
	} {
		v := pagestest.SignedIn(t)
		v.Backend.Fail = tt.err
		for _, a := range []pagestest.Response{v.Get("/connections"), v.Get("/p/layla"), v.Get("/"), v.Post("/connections/con_1/sharing", url.Values{"to": {"off"}})} {
			if a.StatusCode != tt.status || !strings.Contains(a.Text(), tt.text) || strings.Contains(a.Body, "10.0.0.7") {
				t.Errorf("%v: %d %s", tt.err, a.StatusCode, a.Text())
			}
			if (a.Header.Get("Retry-After") != "") != (tt.status == http.StatusServiceUnavailable) {
				t.Errorf("%v: Retry-After %q", tt.err, a.Header.Get("Retry-After"))
			}
		}
	}
}
