package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/web"
)

const sessionCookie = "__Host-vitae_console_session"

func TestASealedSessionThatIsForgedIsNotLookedUp(t *testing.T) {
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.signIn("dev@example.com")
	genuine := b.cookies[sessionCookie]
	if strings.Contains(genuine, "session-of-") || strings.Count(genuine, ".") != 1 {
		t.Errorf("the cookie holds %q", genuine)
	}
	payload, signature, _ := strings.Cut(genuine, ".")
	for _, forged := range []string{"session-of-dev@example.com", payload, payload + ".", "." + signature, "x" + genuine, genuine + "x", "."} {
		b.cookies[sessionCookie] = forged
		c.asked = 0
		if b.leads(b.get("/apps"), "/sign-in"); c.asked != 0 || b.cookies[sessionCookie] != "" {
			t.Errorf("%q: asked %d times, cookie %q", forged, c.asked, b.cookies[sessionCookie])
		}
	}
	b.cookies[sessionCookie] = genuine
	b.shows(b.get("/apps"), http.StatusOK)
}

// siteOf makes a site like the console, but for its name.
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

func TestASealIsGoodForOneCookieOfOneSite(t *testing.T) {
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
		t.Errorf("its own: %q, %t", got, ok)
	}
	if got, ok := one.Sealed(carrying("__Host-vitae_console_session"), "session"); ok {
		t.Errorf("another cookie: %q", got)
	}
	if got, ok := other.Sealed(carrying(cookie.Name), "draft"); ok {
		t.Errorf("another site: %q", got)
	}
	if got, ok := one.Sealed(httptest.NewRequest(http.MethodGet, "/", nil), "draft"); ok {
		t.Errorf("no cookie: %q", got)
	}
}

func TestAnEndedSessionIsForgotten(t *testing.T) {
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.signIn("dev@example.com")
	clear(c.live)
	if b.leads(b.get("/apps"), "/sign-in"); len(b.cookies) != 0 {
		t.Errorf("cookies %v", b.cookies)
	}
}
