package web_test

import (
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/keyring"
)

func TestSiteServesPagesAndForms(t *testing.T) {
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.leads(b.get("/apps"), "/sign-in")
	b.signIn("dev@example.com")

	page := b.get("/apps")
	b.shows(page, http.StatusOK, `<html lang="en" dir="ltr">`, "<title>Apps · Vitae Console</title>", "Keys are for servers.", "Console, home",
		`<nav aria-label="Sections">`, `action="/sign-out"`, "Skip to content")
	if h := page.Header(); h.Get("Cache-Control") != "no-store" || !strings.Contains(h.Get(web.PolicyHeader), "frame-ancestors 'none'") {
		t.Errorf("headers %v", h)
	}

	add := func(name string) *httptest.ResponseRecorder {
		return b.send(http.MethodPost, "/apps", url.Values{"csrf": {b.token(b.get("/apps"))}, "name": {name}})
	}
	b.shows(add(""), http.StatusUnprocessableEntity, "<title>Error: Apps", "The app is not there yet", `<a href="#name">Give the app a name.</a>`)
	b.leads(add("Noor <x>"), "/apps")
	b.shows(b.get("/apps"), http.StatusOK, `<p class="notice" role="status">Noor &lt;x&gt; is added.</p>`, "NOOR &lt;X&gt;", `<span class="monogram`)
	if strings.Contains(b.get("/apps").Body.String(), `role="status"`) || !slices.Equal(c.apps, []string{"Noor <x>"}) {
		t.Errorf("the notice is shown twice, or the apps are wrong: %v", c.apps)
	}

	b.leads(b.send(http.MethodPost, "/sign-out", url.Values{"csrf": {b.token(b.get("/apps"))}}), "/sign-in")
	if len(c.live) != 0 || len(b.cookies) != 0 {
		t.Errorf("sessions %v and cookies %v are left", c.live, b.cookies)
	}
}

func TestAssetPathsContainHash(t *testing.T) {
	_, handler := newConsole(t)
	b := newBrowser(t, handler)
	style := regexp.MustCompile(`/static/app\.[0-9a-f]{12}\.css`).FindString(b.get("/sign-in").Body.String())
	got := b.get(style)
	b.shows(got, http.StatusOK, "--shade-0:", "rebeccapurple") // the shared styles and the site's own
	if h := got.Header(); h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("Content-Type") != "text/css; charset=utf-8" || h.Get("Vary") != "" {
		t.Errorf("headers %v", h)
	}
	b.shows(b.get("/favicon.ico"), http.StatusOK, "<svg")
	b.shows(b.get("/static/app.css"), http.StatusNotFound)
}

func TestSingleLanguageSiteIgnoresBrowserLanguage(t *testing.T) {
	_, handler := newConsole(t)
	b := newBrowser(t, handler)
	page := b.send(http.MethodGet, "/sign-in", nil, func(r *http.Request) { r.Header.Set("Accept-Language", "ar") })
	b.shows(page, http.StatusOK, `<html lang="en" dir="ltr">`)
	if got := page.Header().Get("Content-Language"); got != "en" {
		t.Errorf("Content-Language %q", got)
	}
}

func TestErrorPageHasMessageOfCode(t *testing.T) {
	for _, tt := range []struct {
		err        error
		status     int
		text       string
		retryAfter string
	}{
		{errs.New(errs.Precondition, "TOO_MANY_APPS", "10.0.0.7"), http.StatusConflict, "There is no room", ""},
		{errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "10.0.0.7").WithRetryAfter(61 * time.Second), http.StatusServiceUnavailable, "Try again in 2 minutes", "61"},
		{web.NotFound(), http.StatusNotFound, "Page not found", ""},
		{errors.New("10.0.0.7"), http.StatusInternalServerError, "Something went wrong on our side", ""},
	} {
		c, handler := newConsole(t)
		b := newBrowser(t, handler)
		b.signIn("dev@example.com")
		c.fail = tt.err
		w := b.send(http.MethodGet, "/apps", nil, func(r *http.Request) {
			*r = *r.WithContext(grpcx.WithRequestID(r.Context(), "req_1"))
		})
		b.shows(w, tt.status, tt.text, "req_1")
		if strings.Contains(w.Body.String(), "10.0.0.7") || w.Header().Get("Retry-After") != tt.retryAfter {
			t.Errorf("%v: Retry-After %q: %s", tt.err, w.Header().Get("Retry-After"), w.Body)
		}
	}
}

func TestMethodsMatchRoutes(t *testing.T) {
	_, handler := newConsole(t)
	b := newBrowser(t, handler)
	for path, allow := range map[string]string{"/apps": "GET, HEAD, POST", "/sign-out": "POST", "/favicon.ico": "GET, HEAD"} {
		w := b.send(http.MethodDelete, path, nil)
		if b.shows(w, http.StatusMethodNotAllowed, "That doesn’t work here"); w.Header().Get("Allow") != allow {
			t.Errorf("%s: Allow %q", path, w.Header().Get("Allow"))
		}
	}
	b.shows(b.get("/sign-out"), http.StatusMethodNotAllowed)
	b.shows(b.get("/nowhere"), http.StatusNotFound, "Page not found")
}

// overlay returns the console's files with one file replaced or added.
func overlay(t *testing.T, name, content string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{name: {Data: []byte(content)}}
	for _, file := range []string{
		"templates/shared/apps-nav.html", "templates/signin.html", "templates/apps.html", "messages/en.json", "static/console.css",
	} {
		if file == name {
			continue
		}
		raw, err := fs.ReadFile(consoleFiles(), file)
		if err != nil {
			t.Fatal(err)
		}
		out[file] = &fstest.MapFile{Data: raw}
	}
	return out
}

func TestNewRejectsIncompleteConfig(t *testing.T) {
	for name, change := range map[string]func(*web.Config){
		"no name":                     func(c *web.Config) { c.Name = "" },
		"no brand":                    func(c *web.Config) { c.Brand = "" },
		"no files":                    func(c *web.Config) { c.Files = nil },
		"no language":                 func(c *web.Config) { c.Languages = nil },
		"no cookie prefix":            func(c *web.Config) { c.CookiePrefix = "" },
		"no sign-in":                  func(c *web.Config) { c.SignInPath = nil },
		"no way back to form":         func(c *web.Config) { c.FormPath = nil },
		"no log":                      func(c *web.Config) { c.Log = nil },
		"no key":                      func(c *web.Config) { c.CookieKeys = keyring.Ring{} },
		"no URL":                      func(c *web.Config) { c.URL = "" },
		"foreign scheme":              func(c *web.Config) { c.URL = "ftp://console.vitae.example" },
		"a language without messages": func(c *web.Config) { c.Languages = []string{"en", "ar"} },
		"missing file":                func(c *web.Config) { c.Assets = map[string][]string{"app.css": {"nothing.css"}} },
		"unknown function":            func(c *web.Config) { c.Functions = template.FuncMap{} },
		"broken template":             func(c *web.Config) { c.Files = overlay(t, "templates/apps.html", "{{define}}") },
		"no footer": func(c *web.Config) {
			c.Files = overlay(t, "messages/en.json", `{"error.full.title": "x", "error.full.text": "x"}`)
		},
		"failure without message": func(c *web.Config) { c.Failures = map[string]web.Failure{"X": {Status: 400, Message: "error.x"}} },
	} {
		cfg := consoleConfig()
		change(&cfg)
		if _, err := web.New(cfg); err == nil {
			t.Errorf("%s: New returned no error", name)
		}
	}
	if _, err := web.New(consoleConfig()); err != nil {
		t.Errorf("the complete configuration: %v", err)
	}
}

func TestHandlerRejectsIncompleteRoutes(t *testing.T) {
	site, err := web.New(consoleConfig())
	if err != nil {
		t.Fatal(err)
	}
	get := func(http.ResponseWriter, *http.Request) error { return nil }
	for name, routes := range map[string][]web.Route{
		"no handler":          {{Path: "/x"}},
		"no slash":            {{Path: "x", Get: get}},
		"method":              {{Path: "GET /x", Get: get}},
		"listed twice":        {{Path: "/x", Get: get}, {Path: "/x", Post: get}},
		"path of package web": {{Path: "/favicon.ico", Get: get}},
	} {
		if _, err := site.Handler(routes); err == nil {
			t.Errorf("%s: Handler returned no error", name)
		}
	}
}

func TestPlatformRouteIsNotFoundWhenOff(t *testing.T) {
	for on, want := range map[bool]int{true: http.StatusNoContent, false: http.StatusNotFound} {
		cfg := consoleConfig()
		cfg.PlatformOn = on
		site, err := web.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		reached := func(w http.ResponseWriter, _ *http.Request) error { w.WriteHeader(http.StatusNoContent); return nil }
		handler, err := site.Handler([]web.Route{{Path: "/connect", Get: reached, Platform: true}, {Path: "/help", Get: reached}})
		if err != nil {
			t.Fatal(err)
		}
		for path, status := range map[string]int{"/connect": want, "/help": http.StatusNoContent} {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if w.Code != status {
				t.Errorf("platform on %t: %s returns %d", on, path, w.Code)
			}
		}
		// The form must not be read.
		w := httptest.NewRecorder()
		handler, err = site.Handler([]web.Route{{Path: "/connect", Post: reached, Platform: true}})
		if err != nil {
			t.Fatal(err)
		}
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/connect", nil))
		if closed := w.Code == http.StatusNotFound; closed == on {
			t.Errorf("platform on %t: a POST returns %d", on, w.Code)
		}
	}
}
