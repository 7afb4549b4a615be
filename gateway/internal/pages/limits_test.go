package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

// behindLimit visits pages with a session, at an address whose tier is spent while
// *spent is true.
func behindLimit(t *testing.T) (v *visitor, spent *bool) {
	t.Helper()
	v, spent = visit(t, "https://app.vitae.example"), new(bool)
	v.pages = newPages(t, v.backend, v.appURL, func(c *Config) {
		c.Page = func(*http.Request) error {
			if !*spent {
				return nil
			}
			return errs.New(errs.Exhausted, "RATE_LIMIT_EXCEEDED", "Too many.").WithRetryAfter(7 * time.Second)
		}
	})
	v.signIn()
	return v, spent
}

// No part can be asked: each would fail.
func TestAnAddressThatHasSpentItsPagesAsksNoPart(t *testing.T) {
	t.Parallel()
	v, spent := behindLimit(t)
	form := url.Values{"csrf": {formToken(sessionForms, v.session())}, "decision": {"allow"}, "to": {"off"}, "cv": {"master"}}
	*spent, v.backend.fail = true, errors.New("a part was asked")
	for _, path := range []string{"/", "/connections", "/connections/con_1/disconnect", "/p/layla", "/p/layla/cv"} {
		a := v.get(path)
		if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "7" || !strings.Contains(a.text(), "Try again in 7 seconds.") {
			t.Errorf("GET %s: %d %v", path, a.StatusCode, a.Header)
		}
	}
	for _, path := range []string{"/connections/con_1/cv", "/connections/con_1/sharing", "/connections/con_1/disconnect", "/oauth/authorize?" + consentQuery} {
		if a := v.send(http.MethodPost, path, form); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("POST %s: %d", path, a.StatusCode)
		}
	}
}

// Others at the address may be the cause, and they keep nobody out.
func TestPeopleSignInAndOutAtAnAddressThatHasSpentItsPages(t *testing.T) {
	t.Parallel()
	v, spent := behindLimit(t)
	*spent = true
	if a := v.post("/sign-out", url.Values{}); a.StatusCode != http.StatusSeeOther || len(v.backend.sessions) != 0 {
		t.Errorf("sign-out: %d", a.StatusCode)
	}
	v.backend.fail = errors.New("a part was asked")
	a := v.get("/sign-in?" + url.Values{"return": {"/oauth/authorize?" + consentQuery}}.Encode())
	if a.StatusCode != http.StatusOK || strings.Contains(a.text(), "Acme Jobs") {
		t.Fatalf("the form: %d %s", a.StatusCode, a.text())
	}
	v.backend.fail = nil
	if a = v.send(http.MethodPost, "/sign-in", url.Values{"csrf": {a.token()}, "email": {goodEmail}, "password": {goodPassword}}); a.StatusCode != http.StatusSeeOther {
		t.Errorf("sign-in: %d %s", a.StatusCode, a.text())
	}
}

func TestTheAppBehindAFailedSignInIsLookedUpWithinTheLimitOnly(t *testing.T) {
	t.Parallel()
	v, spent := behindLimit(t)
	delete(v.cookies, "__Host-vitae_session")
	form := url.Values{"csrf": {v.get("/sign-in").token()}, "return": {"/oauth/authorize?" + consentQuery}}
	for over, named := range map[bool]bool{false: true, true: false} {
		*spent = over
		if a := v.send(http.MethodPost, "/sign-in", form); strings.Contains(a.text(), "Acme Jobs") != named {
			t.Errorf("over the limit %t: %s", over, a.text())
		}
	}
}

func TestPagesForWhichNoPartIsAskedSpendNothing(t *testing.T) {
	t.Parallel()
	v, spent := behindLimit(t)
	*spent = true
	for _, path := range []string{"/docs", "/docs/openapi.json", "/favicon.ico"} {
		if a := v.get(path); a.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}
