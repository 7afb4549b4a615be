package pages_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
)

// Every call to a service fails, so a page that made one would fail too.
func TestRateLimitedPagesCallNoService(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	form := url.Values{"csrf": {v.FormToken()}, "decision": {"allow"}, "to": {"off"}, "cv": {"master"}}
	v.Backend.PageLimitUsed, v.Backend.Fail = true, errors.New("a service was called")
	for _, path := range []string{"/", "/connections", "/connections/con_1/disconnect", "/p/layla", "/p/layla/cv"} {
		a := v.Get(path)
		if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "7" || !strings.Contains(a.Text(), "Try again in 7 seconds.") {
			t.Errorf("GET %s: status %d, %v", path, a.StatusCode, a.Header)
		}
	}
	for _, path := range []string{"/connections/con_1/cv", "/connections/con_1/sharing", "/connections/con_1/disconnect", pagestest.ConsentPath} {
		if a := v.Send(http.MethodPost, path, form); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("POST %s: status %d", path, a.StatusCode)
		}
	}
}

// Other clients with the same IP address may have used up the limit. They must not block the
// sign-in.
func TestSignInAndOutAreNotRateLimited(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.PageLimitUsed = true
	if a := v.Post("/sign-out", url.Values{}); a.StatusCode != http.StatusSeeOther || len(v.Backend.Sessions) != 0 {
		t.Errorf("sign-out: status %d", a.StatusCode)
	}
	v.Backend.Fail = errors.New("a service was called")
	a := v.Get("/sign-in?" + url.Values{"return": {pagestest.ConsentPath}}.Encode())
	if a.StatusCode != http.StatusOK || strings.Contains(a.Text(), "Acme Jobs") {
		t.Fatalf("the form: status %d: %s", a.StatusCode, a.Text())
	}
	v.Backend.Fail = nil
	if a = v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {a.Token()}, "email": {pagestest.GoodEmail}, "password": {pagestest.GoodPassword}}); a.StatusCode != http.StatusSeeOther {
		t.Errorf("sign-in: status %d: %s", a.StatusCode, a.Text())
	}
}

func TestRateLimitedSignInLooksUpNoApp(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	delete(v.Cookies, "__Host-vitae_session")
	form := url.Values{"csrf": {v.Get("/sign-in").Token()}, "return": {pagestest.ConsentPath}}
	for over, named := range map[bool]bool{false: true, true: false} {
		v.Backend.PageLimitUsed = over
		if a := v.Send(http.MethodPost, "/sign-in", form); strings.Contains(a.Text(), "Acme Jobs") != named {
			t.Errorf("over the limit %t: %s", over, a.Text())
		}
	}
}

func TestStaticPagesAreNotRateLimited(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.PageLimitUsed = true
	for _, path := range []string{"/docs", "/docs/openapi.json", "/favicon.ico"} {
		if a := v.Get(path); a.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", path, a.StatusCode)
		}
	}
}
