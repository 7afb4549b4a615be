package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

// attempt posts the sign-in form as it is shown.
func (v *visitor) attempt(password string) response {
	v.t.Helper()
	token := v.get("/sign-in").token()
	return v.send(http.MethodPost, "/sign-in", url.Values{"csrf": {token}, "email": {goodEmail}, "password": {password}})
}

func TestABrowserThatSignsInAgainIsTheSameDevice(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	c := v.cookies["__Host-vitae_device"]
	if c == nil || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.MaxAge != int(180*24*time.Hour/time.Second) {
		t.Fatalf("the cookie is %+v", c)
	}
	if strings.Contains(c.Value, "device-") {
		t.Errorf("the cookie is not sealed: %q", c.Value)
	}
	v.post("/sign-out", url.Values{})
	v.signIn()
	if got := v.backend.signedIn; got[0].GetDeviceToken() != "" || got[0].GetDeviceSince() != nil || got[1].GetDeviceToken() != "device-1ns" {
		t.Errorf("auth was told %v", got)
	}
}

// A browser that does not wait as long as it was told begins anew.
func TestABrowserIsKnownToHaveBeenWaitingSinceItWasToldTo(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	at := clock.NewFake(now)
	v.pages = newPages(t, v.backend, v.appURL, func(c *Config) { c.Clock = at })
	v.attempt("a typo")
	at.Advance(time.Minute)
	v.backend.signInFail = errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "slow").WithRetryAfter(time.Minute)
	v.attempt(goodPassword)
	at.Advance(time.Minute)
	v.attempt(goodPassword)
	got := v.backend.signedIn
	if got[0].GetDeviceToken() != "" || len(got[1].GetDeviceToken()) < 40 || got[1].GetDeviceToken() != got[2].GetDeviceToken() {
		t.Errorf("tokens %q, %q, %q", got[0].GetDeviceToken(), got[1].GetDeviceToken(), got[2].GetDeviceToken())
	}
	if first, second := got[1].GetDeviceSince().AsTime(), got[2].GetDeviceSince().AsTime(); !first.Equal(now) || !second.Equal(now.Add(time.Minute)) {
		t.Errorf("waiting since %v, then since %v", first, second)
	}
}

func TestADeviceCookieThatIsForgedOrHasEndedIsNone(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	at := clock.NewFake(now)
	v.pages = newPages(t, v.backend, v.appURL, func(c *Config) { c.Clock = at })
	v.signIn()
	genuine := v.cookies["__Host-vitae_device"].Value
	asked := func() string {
		v.attempt("a typo")
		return v.backend.signedIn[len(v.backend.signedIn)-1].GetDeviceToken()
	}
	delete(v.cookies, "__Host-vitae_session")
	if asked() == "" {
		t.Fatal("the genuine one is not taken")
	}
	for _, forged := range []string{"device-1ns", "x" + genuine, strings.Replace(genuine, ".", ".9", 1)} {
		v.cookies["__Host-vitae_device"] = &http.Cookie{Name: "__Host-vitae_device", Value: forged}
		if got := asked(); got != "" {
			t.Errorf("%q: auth was told %q", forged, got)
		}
	}
	v.cookies["__Host-vitae_device"] = &http.Cookie{Name: "__Host-vitae_device", Value: genuine}
	at.Advance(181 * 24 * time.Hour)
	if got := asked(); got != "" {
		t.Errorf("after its life auth was told %q", got)
	}
}
