package web_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/web"
)

func TestPostIsCheckedBeforeHandler(t *testing.T) {
	header := func(pairs ...string) func(*http.Request, url.Values) {
		return func(r *http.Request, _ url.Values) {
			for i := 0; i < len(pairs); i += 2 {
				r.Header.Set(pairs[i], pairs[i+1])
			}
		}
	}
	for name, tt := range map[string]struct {
		forge  func(*http.Request, url.Values)
		status int
	}{
		"no token":       {func(_ *http.Request, f url.Values) { f.Del("csrf") }, http.StatusForbidden},
		"wrong token":    {func(_ *http.Request, f url.Values) { f.Set("csrf", f.Get("csrf")+"x") }, http.StatusForbidden},
		"foreign origin": {header("Origin", "https://evil.example"), http.StatusForbidden},
		"cross-site":     {header("Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"), http.StatusForbidden},
		"same site":      {header("Sec-Fetch-Site", "same-site", "Origin", "https://vitae.example"), http.StatusForbidden},
		"wrong type":     {header("Content-Type", "application/json"), http.StatusUnsupportedMediaType},
		"not text":       {func(_ *http.Request, f url.Values) { f.Set("name", "\x00") }, http.StatusBadRequest},
		"too large":      {func(_ *http.Request, f url.Values) { f.Set("name", strings.Repeat("x", web.MaxForm)) }, http.StatusRequestEntityTooLarge},
	} {
		for _, path := range []string{"/apps", "/careless", "/sign-out", "/sign-in"} {
			c, handler := newConsole(t)
			b := newBrowser(t, handler)
			form := url.Values{"name": {"x"}}
			if path == "/sign-in" {
				form.Set("csrf", b.token(b.get("/sign-in")))
			} else {
				b.signIn("dev@example.com")
				form.Set("csrf", b.token(b.get("/apps")))
			}
			live := maps.Clone(c.live)
			probe, _ := http.NewRequest(http.MethodPost, "/", nil)
			tt.forge(probe, form) // applies the forgery to the form
			w := b.send(http.MethodPost, path, form, func(r *http.Request) { tt.forge(r, url.Values{}) })
			if w.Code != tt.status || len(c.apps) != 0 || !maps.Equal(c.live, live) {
				t.Errorf("%s on %s: %d, apps %v, sessions %v", name, path, w.Code, c.apps, c.live)
			}
		}
	}
}

func TestPastedSeparatorsBecomeLineFeeds(t *testing.T) {
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.signIn("dev@example.com")
	b.send(http.MethodPost, "/apps", url.Values{"csrf": {b.token(b.get("/apps"))}, "name": {"a\u2028b\vc\x01d\uf0b7e"}})
	if want := "a\nb\nc d e"; len(c.apps) != 1 || c.apps[0] != want {
		t.Errorf("the handler got %q, want %q", c.apps, want)
	}
}

func TestPostWithoutSessionIsRedirected(t *testing.T) {
	for _, path := range []string{"/apps", "/careless", "/sign-out"} {
		c, handler := newConsole(t)
		b := newBrowser(t, handler)
		token := b.token(b.get("/sign-in"))
		b.leads(b.send(http.MethodPost, path, url.Values{"csrf": {token}, "name": {"x"}}), "/sign-in")
		if len(c.apps) != 0 {
			t.Errorf("%s: apps %v", path, c.apps)
		}
	}
}

func TestAnonymousFormIsBoundToBrowser(t *testing.T) {
	c, handler := newConsole(t)
	attacker, victim := newBrowser(t, handler), newBrowser(t, handler)
	stolen := url.Values{"csrf": {attacker.token(attacker.get("/sign-in"))}, "email": {"attacker@example.com"}}
	victim.shows(victim.send(http.MethodPost, "/sign-in", stolen), http.StatusForbidden, "This form is no longer valid", `href="/sign-in"`)
	victim.get("/sign-in")
	victim.shows(victim.send(http.MethodPost, "/sign-in", stolen), http.StatusForbidden)
	if len(c.live) != 0 {
		t.Errorf("sessions %v", c.live)
	}
}
