package app_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestHourlyLimitCountsOnlyPartnerRequests(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t, set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TIER_LEGACY", "100/24h"), set("VITAE_TIER_OAUTH", "5/1h 5/24h"))
	other, stranger := newToken(), strings.Replace(goodExchange, `"secret"`, `"wrong"`, 1)
	p := legacyPrincipal()
	p.ConnectionId = "con_10"
	s.auth.put(other, &authv1.SessionRecord{Principal: p})
	s.legacy.set(func(f *fakeLegacy) { f.fault = errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "x") })
	asks := []func() answer{
		s.profile, func() answer { return s.bearer(http.MethodGet, "/api/oauth/profile", other) },
		func() answer { return s.exchange(goodExchange) },
		func() answer { return s.bearer(http.MethodPost, "/api/oauth/revoke", other) },
	}
	remaining := func(a answer) string { return a.Header.Get("X-RateLimit-Remaining") }
	for i := range 100 {
		a := asks[i%len(asks)]()
		if a.StatusCode != http.StatusBadRequest || remaining(a) != strconv.Itoa(99-i) {
			t.Fatalf("request %d: %d %s, %s left", i, a.StatusCode, a.body, remaining(a))
		}
	}
	reached := len(s.legacy.exchanged)
	for _, ask := range asks {
		a := ask()
		a.wantLegacy(t, 429, "RATE_LIMIT_EXCEEDED")
		if remaining(a) != "0" || a.Header.Get("Retry-After") == "" {
			t.Errorf("%v", a.Header)
		}
	}
	if len(s.legacy.exchanged) != reached {
		t.Error("a rejected request redeemed a code")
	}
	for range 5 {
		if a := s.exchange(stranger); a.StatusCode != http.StatusUnauthorized || remaining(a) != "" {
			t.Errorf("%d %s: %q left", a.StatusCode, a.body, remaining(a))
		}
	}
	for _, body := range []string{stranger, "{"} {
		a := s.exchange(body)
		a.wantLegacy(t, 429, "RATE_LIMIT_EXCEEDED")
		if remaining(a) != "" {
			t.Errorf("an unauthenticated client sees the partner's hourly limit: %v", a.Header)
		}
	}
	if a := s.exchange(goodExchange); remaining(a) != "0" {
		t.Errorf("the partner sees the IP address limit: %d %v", a.StatusCode, a.Header)
	}
}

func TestSecretGuessesAreRejectedBeforeAuth(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t, set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TIER_FAILED_ADDRESS", "3/1h 10/1h"))
	s.exchange(goodExchange).wantStatus(t, "the partner", 200)
	guess := strings.Replace(goodExchange, `"secret"`, `"wrong"`, 1)
	for range 3 {
		s.exchange(guess).wantLegacy(t, 401, "INVALID_CLIENT")
	}
	asked := s.legacy.asked
	for range 7 {
		s.exchange(guess).wantLegacy(t, 429, "RATE_LIMIT_EXCEEDED")
	}
	if s.legacy.asked != asked {
		t.Errorf("the gateway called auth for %d rejected guesses", s.legacy.asked-asked)
	}
	s.exchange(goodExchange).wantStatus(t, "the partner that has authenticated", 200)
}

func TestLiftedTiersKeepLegacyHeaders(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t, set("VITAE_TIER_LEGACY", "2/1h"))
	for _, want := range []string{"1", "0", "0", "0"} {
		if a := s.profile(); a.StatusCode != http.StatusOK || a.Header.Get("X-RateLimit-Limit") != "2" || a.Header.Get("X-RateLimit-Remaining") != want {
			t.Errorf("%d %v, want %s left", a.StatusCode, a.Header, want)
		}
	}
}

func TestSuspendedPartnerIsNotCharged(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t)
	if got := s.profile().hourlyLeft(t); got != 99 {
		t.Errorf("%d requests left", got)
	}
	s.auth.put(s.token, &authv1.SessionRecord{Principal: legacyPrincipal(), AccountSuspended: true})
	s.legacy.set(func(f *fakeLegacy) { f.suspended = true })
	for range 3 {
		for _, a := range []answer{s.profile(), s.bearer(http.MethodPost, "/api/oauth/revoke", s.token), s.exchange(goodExchange)} {
			a.wantLegacy(t, 403, "ACCESS_DENIED")
			if got := a.hourlyLeft(t); got != 99 {
				t.Errorf("%d requests left", got)
			}
		}
	}
	if len(s.legacy.exchanged)+len(s.legacy.revoked) > 0 {
		t.Error("auth exchanged a code or revoked a token")
	}
}
