package pages_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
)

// No part can be asked: each would fail.
func TestLimitedAddressAsksNoPart(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	form := url.Values{"csrf": {v.FormToken()}, "decision": {"allow"}, "to": {"off"}, "cv": {"master"}}
	v.Backend.Spent, v.Backend.Fail = true, errors.New("a part was asked")
	for _, path := range []string{"/", "/connections", "/connections/con_1/disconnect", "/p/layla", "/p/layla/cv"} {
		a := v.Get(path)
		if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "7" || !strings.Contains(a.Text(), "Try again in 7 seconds.") {
			t.Errorf("GET %s: %d %v", path, a.StatusCode, a.Header)
		}
	}
	for _, path := range []string{"/connections/con_1/cv", "/connections/con_1/sharing", "/connections/con_1/disconnect", pagestest.ConsentPath} {
		if a := v.Send(http.MethodPost, path, form); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("POST %s: %d", path, a.StatusCode)
		}
	}
}

// Others at the address may be the cause, and they keep nobody out.
func TestLimitedAddressSignsInAndOut(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Spent = true
	if a := v.Post("/sign-out", url.Values{}); a.StatusCode != http.StatusSeeOther || len(v.Backend.Sessions) != 0 {
		t.Errorf("sign-out: %d", a.StatusCode)
	}
	v.Backend.Fail = errors.New("a part was asked")
	a := v.Get("/sign-in?" + url.Values{"return": {pagestest.ConsentPath}}.Encode())
	if a.StatusCode != http.StatusOK || strings.Contains(a.Text(), "Acme Jobs") {
		t.Fatalf("the form: %d %s", a.StatusCode, a.Text())
	}
	v.Backend.Fail = nil
	if a = v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {a.Token()}, "email": {pagestest.GoodEmail}, "password": {pagestest.GoodPassword}}); a.StatusCode != http.StatusSeeOther {
		t.Errorf("sign-in: %d %s", a.StatusCode, a.Text())
	}
}

func TestLimitedSignInLooksUpNoApp(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	delete(v.Cookies, "__Host-vitae_session")
	form := url.Values{"csrf": {v.Get("/sign-in").Token()}, "return": {pagestest.ConsentPath}}
	for over, named := range map[bool]bool{false: true, true: false} {
		v.Backend.Spent = over
		if a := v.Send(http.MethodPost, "/sign-in", form); strings.Contains(a.Text(), "Acme Jobs") != named {
			t.Errorf("over the limit %t: %s", over, a.Text())
		}
	}
}

func TestStaticPagesAreNotLimited(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Spent = true
	for _, path := range []string{"/docs", "/docs/openapi.json", "/favicon.ico"} {
		if a := v.Get(path); a.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}
