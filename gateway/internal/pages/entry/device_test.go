package entry_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

// attempt submits the sign-in form as the page shows it.
func attempt(v *pagestest.Visitor, password string) pagestest.Response {
	token := v.Get("/sign-in").Token()
	return v.Send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {pagestest.GoodEmail}, "password": {password}})
}

func TestDeviceOutlivesSignOut(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	c := v.Cookies["__Host-vitae_device"]
	if c == nil || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.MaxAge != int(180*24*time.Hour/time.Second) {
		t.Fatalf("cookie is %+v", c)
	}
	if strings.Contains(c.Value, "device-") {
		t.Errorf("the cookie is not sealed: %q", c.Value)
	}
	v.Post("/sign-out", url.Values{})
	v.SignIn()
	if got := v.Backend.SignedIn; got[0].GetDeviceToken() != "" || got[0].GetDeviceSince() != nil || got[1].GetDeviceToken() != "device-1ns" {
		t.Errorf("auth received %v", got)
	}
}

// A browser that retries before its waiting time is over has to start waiting again.
func TestDeviceCookieKeepsStartOfWait(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	at := clock.NewFake(pagestest.Now)
	v.Pages = pagestest.NewPages(t, func(c *pages.Config) { c.Clock = at })
	attempt(v, "a typo")
	at.Advance(time.Minute)
	v.Backend.SignInFail = errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "slow").WithRetryAfter(time.Minute)
	attempt(v, pagestest.GoodPassword)
	at.Advance(time.Minute)
	attempt(v, pagestest.GoodPassword)
	got := v.Backend.SignedIn
	if got[0].GetDeviceToken() != "" || len(got[1].GetDeviceToken()) < 40 || got[1].GetDeviceToken() != got[2].GetDeviceToken() {
		t.Errorf("tokens %q, %q, %q", got[0].GetDeviceToken(), got[1].GetDeviceToken(), got[2].GetDeviceToken())
	}
	if first, second := got[1].GetDeviceSince().AsTime(), got[2].GetDeviceSince().AsTime(); !first.Equal(pagestest.Now) || !second.Equal(pagestest.Now.Add(time.Minute)) {
		t.Errorf("waiting since %v, then since %v", first, second)
	}
}

func TestForgedDeviceCookieIsIgnored(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	at := clock.NewFake(pagestest.Now)
	v.Pages = pagestest.NewPages(t, func(c *pages.Config) { c.Clock = at })
	v.SignIn()
	genuine := v.Cookies["__Host-vitae_device"].Value
	asked := func() string {
		attempt(v, "a typo")
		return v.Backend.SignedIn[len(v.Backend.SignedIn)-1].GetDeviceToken()
	}
	delete(v.Cookies, "__Host-vitae_session")
	if asked() == "" {
		t.Fatal("the genuine cookie is not accepted")
	}
	for _, forged := range []string{"device-1ns", "x" + genuine, strings.Replace(genuine, ".", ".9", 1)} {
		v.Cookies["__Host-vitae_device"] = &http.Cookie{Name: "__Host-vitae_device", Value: forged}
		if got := asked(); got != "" {
			t.Errorf("%q: auth received %q", forged, got)
		}
	}
	v.Cookies["__Host-vitae_device"] = &http.Cookie{Name: "__Host-vitae_device", Value: genuine}
	at.Advance(181 * 24 * time.Hour)
	if got := asked(); got != "" {
		t.Errorf("after the cookie expired, auth received %q", got)
	}
}
