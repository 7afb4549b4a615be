package web_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/testkit"
)

const sessionCookie = "__Host-vitae_console_session"

func TestForgedSessionIsNotLookedUp(t *testing.T) {
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.signIn("dev@example.com")
	genuine := b.cookies[sessionCookie]
	if strings.Contains(genuine, "session-of-") || strings.Count(genuine, ".") != 2 {
		t.Errorf("the cookie contains %q", genuine)
	}
	parts := strings.Split(genuine, ".")
	payload, until, signature := parts[0], parts[1], parts[2]
	for _, forged := range []string{
		"session-of-dev@example.com", payload, payload + ".", "." + signature, "x" + genuine, genuine + "x", ".", "..",
		payload + "." + signature, payload + ".9" + until + "." + signature, payload + ".." + signature,
	} {
		b.cookies[sessionCookie] = forged
		c.asked = 0
		if b.leads(b.get("/apps"), "/sign-in"); c.asked != 0 || b.cookies[sessionCookie] != "" {
			t.Errorf("%q: %d look-ups, cookie %q", forged, c.asked, b.cookies[sessionCookie])
		}
	}
	b.cookies[sessionCookie] = genuine
	b.shows(b.get("/apps"), http.StatusOK)
}

// siteOf returns a site that differs from the console only in its name.
func siteOf(t *testing.T, name string) *web.Site {
	t.Helper()
	cfg := consoleConfig()
	cfg.Name = name
	site, err := web.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func TestSealIsValidForOneCookieAndSite(t *testing.T) {
	one, other := siteOf(t, "console"), siteOf(t, "another")
	w := httptest.NewRecorder()
	one.SetSealed(w, "draft", "a\x00b", time.Minute)
	cookie := w.Result().Cookies()[0]
	carrying := func(name string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: name, Value: cookie.Value})
		return r
	}
	if got, ok := one.Sealed(carrying(cookie.Name), "draft"); !ok || got != "a\x00b" {
		t.Errorf("the same cookie and site: %q, %t", got, ok)
	}
	if got, ok := one.Sealed(carrying("__Host-vitae_console_session"), "session"); ok {
		t.Errorf("a different cookie: %q", got)
	}
	if got, ok := other.Sealed(carrying(cookie.Name), "draft"); ok {
		t.Errorf("a different site: %q", got)
	}
	if got, ok := one.Sealed(httptest.NewRequest(http.MethodGet, "/", nil), "draft"); ok {
		t.Errorf("no cookie: %q", got)
	}
}

func TestSealedValueExpires(t *testing.T) {
	cfg := consoleConfig()
	now := clock.NewFake(time.Date(2026, 3, 9, 10, 0, 0, 0, time.UTC))
	cfg.Clock = now
	site, err := web.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for life, good := range map[time.Duration]time.Duration{time.Minute: time.Minute, 4320 * time.Hour: 4320 * time.Hour, 0: 24 * time.Hour} {
		w := httptest.NewRecorder()
		site.SetSealed(w, "draft", "kept", life)
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(w.Result().Cookies()[0])
		now.Advance(good - time.Second)
		if got, ok := site.Sealed(r, "draft"); !ok || got != "kept" {
			t.Errorf("%v: the value expires too early", life)
		}
		now.Advance(time.Second)
		if got, ok := site.Sealed(r, "draft"); ok {
			t.Errorf("%v: %q is accepted after its life", life, got)
		}
	}
}

// Such a seal would be valid forever.
func TestSealWithoutExpiryIsInvalid(t *testing.T) {
	site := siteOf(t, "console")
	payload := base64.RawURLEncoding.EncodeToString([]byte("kept"))
	h := hmac.New(sha256.New, testkit.Secret("a"))
	h.Write([]byte("vitae console\x00draft\x00" + payload))
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(&http.Cookie{Name: "__Host-vitae_console_draft", Value: payload + "." + base64.RawURLEncoding.EncodeToString(h.Sum(nil))})
	if got, ok := site.Sealed(r, "draft"); ok {
		t.Errorf("%q is accepted", got)
	}
}

// siteWith returns a site like the console, whose cookie keys have the given ids.
func siteWith(t *testing.T, ids ...string) *web.Site {
	t.Helper()
	cfg := consoleConfig()
	cfg.CookieKeys = testkit.Ring("cookie", ids...)
	site, err := web.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// During a rotation, replicas at consecutive steps serve the same browser.
func TestCookieKeyRotationKeepsCookies(t *testing.T) {
	steps := [][]string{{"old"}, {"old", "new"}, {"new", "old"}, {"new"}}
	for i := range steps[1:] {
		pair := []*web.Site{siteWith(t, steps[i]...), siteWith(t, steps[i+1]...)}
		for _, seals := range pair {
			for _, reads := range pair {
				if got, ok := reads.Sealed(sealedBy(seals), "device"); !ok || got != "kept" {
					t.Errorf("from %v to %v: %q, %t", steps[i], steps[i+1], got, ok)
				}
			}
		}
	}
	if _, ok := siteWith(t, "new").Sealed(sealedBy(siteWith(t, "old")), "device"); ok {
		t.Error("a seal is accepted although its key was removed")
	}
}

// sealedBy returns a request with a cookie that the site has sealed.
func sealedBy(s *web.Site) *http.Request {
	w := httptest.NewRecorder()
	s.SetSealed(w, "device", "kept", time.Hour)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(w.Result().Cookies()[0])
	return r
}

func TestEndedSessionCookieIsRemoved(t *testing.T) {
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.signIn("dev@example.com")
	clear(c.live)
	if b.leads(b.get("/apps"), "/sign-in"); len(b.cookies) != 0 {
		t.Errorf("cookies %v", b.cookies)
	}
}
