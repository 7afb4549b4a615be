package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

// spent is an address whose tier of pages is spent.
func spent() error {
	return errs.New(errs.Exhausted, "RATE_LIMIT_EXCEEDED", "Too many.").WithRetryAfter(7 * time.Second)
}

func TestAnAddressThatHasSpentItsPagesAsksNoPart(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	b.get("/")
	back.overPages = spent()
	clear(back.asked)
	for _, path := range []string{"/", "/apps", "/apps/app_1/keys", "/team", "/audit", "/audit.csv", "/limits", "/requests", "/requests/newest", "/requests.csv", "/requests/req_0", "/settings", "/accounts/new", "/invitations/secret", "/callback?state=x"} {
		res := b.get(path)
		if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "7" || !strings.Contains(body(t, res), "Try again in 7 seconds.") {
			t.Errorf("%s: %d %v", path, res.StatusCode, res.Header)
		}
	}
	if len(back.asked) != 0 {
		t.Errorf("auth was asked: %v", back.asked)
	}
}

func TestWhoeverHasSpentThePagesOfAnAddressCanStillSignOut(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	_, after, _ := strings.Cut(body(t, b.get("/")), `name="csrf" value="`)
	token, _, _ := strings.Cut(after, `"`)
	back.overPages = spent()
	if res := b.bare("/sign-out", url.Values{"csrf": {token}}); res.Header.Get("Location") != "/signed-out" {
		t.Errorf("sign-out: %d", res.StatusCode)
	}
	if res := b.get("/signed-out"); res.StatusCode != http.StatusOK {
		t.Errorf("the page after it: %d", res.StatusCode)
	}
}
