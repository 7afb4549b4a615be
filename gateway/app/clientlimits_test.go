package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// guarded returns a scene with low rate limits. Its auth service accepts the confidential client "app"
// with the secret "right", and the public client "browser".
func guarded(t *testing.T, options ...option) *scene {
	s := newScene(t, append([]option{
		set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TIER_OAUTH", "3/1h 100/1h"), set("VITAE_TRUSTED_PROXIES", "127.0.0.1"),
	}, options...)...)
	authenticate := func(c *authv1.ClientAuthentication) error {
		if c.GetClientId() == "app" && c.GetClientSecret() == "right" || c.GetClientId() == "browser" && c.ClientSecret == nil {
			return nil
		}
		return errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "The client is unknown.")
	}
	s.auth.introspect = func(r *authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
		return &authv1.IntrospectTokenResponse{}, authenticate(r.GetClient())
	}
	s.auth.refresh = func(r *authv1.RefreshTokenRequest) (*authv1.TokenPair, error) {
		return &authv1.TokenPair{}, authenticate(r.GetClient())
	}
	s.auth.revoke = func(r *authv1.RevokeTokenRequest) error { return authenticate(r.GetClient()) }
	return s
}

// introspect sends an introspection request from an IP address. An empty secret means a public
// client.
func (s *scene) introspect(address, id, secret string) answer {
	s.t.Helper()
	form := url.Values{"token": {"t"}, "client_id": {id}}
	if secret != "" {
		form.Set("client_secret", secret)
	}
	return s.do(http.MethodPost, "/oauth/introspect", form.Encode(), "Content-Type", formType, "X-Forwarded-For", address)
}

func (a answer) wantStatus(t *testing.T, what string, status int) {
	t.Helper()
	if a.StatusCode != status {
		t.Errorf("%s: %d %s, want %d", what, a.StatusCode, a.body, status)
	}
}

func TestFailedClientsAreLimitedPerIP(t *testing.T) {
	t.Parallel()
	s := guarded(t, set("VITAE_TIER_OAUTH", "50/1h 100/1h"), set("VITAE_TIER_FAILED_CLIENT", "2/1h 10/1h"), set("VITAE_TIER_FAILED_ADDRESS", "4/1h 10/1h"))
	const here, elsewhere = "192.0.2.1", "192.0.2.2"
	s.introspect(here, "app", "right").wantStatus(t, "the client", 200)
	for i := range 2 {
		s.introspect(here, "app", fmt.Sprint(i)).wantStatus(t, "a wrong secret", 401)
	}
	a := s.introspect(here, "app", "3")
	a.wantFlat(t, 429, "temporarily_unavailable")
	if a.Header.Get("Retry-After") == "" {
		t.Error("the response has no Retry-After")
	}
	s.introspect(here, "app", "right").wantStatus(t, "a client that has authenticated from this address", 200)
	s.introspect(elsewhere, "app", "0").wantStatus(t, "a wrong secret from a different address", 401)
	for i := range 2 {
		s.introspect(here, fmt.Sprint("made up ", i), "x").wantStatus(t, "an unknown client", 401)
	}
	s.introspect(here, "browser", "").wantStatus(t, "a client new to the address, after four failures", 429)
	s.introspect(elsewhere, "browser", "").wantStatus(t, "the same client from a different address", 200)
}

func TestUnauthenticatedRequestsAreLimitedPerIP(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		query, form, authorization string
		status                     int
	}{
		"no grant type":        {form: "client_id=%s", status: 400},
		"unknown grant type":   {form: "grant_type=password&client_id=%s", status: 400},
		"no code":              {form: "grant_type=authorization_code&client_id=%s&client_secret=x", status: 400},
		"repeated parameter":   {form: "code=1&code=2&client_id=%s", status: 400},
		"a code in the query":  {query: "?code=1", form: "client_id=%s", status: 400},
		"Basic, no grant type": {authorization: "%s", status: 400},
		"a body too large":     {form: "x=" + strings.Repeat("x", 2<<20), authorization: "%s", status: 413},
	} {
		t.Run(name, func(t *testing.T) {
			s := guarded(t, set("VITAE_TIER_OAUTH", "50/1h 100/1h"), set("VITAE_TIER_FAILED_ADDRESS", "3/1h 10/1h"))
			send := func(address, id string) answer {
				headers := []string{"Content-Type", formType, "X-Forwarded-For", address}
				if tc.authorization != "" {
					headers = append(headers, "Authorization", basic(id, "x"))
				}
				return s.do(http.MethodPost, "/oauth/token"+tc.query, strings.ReplaceAll(tc.form, "%s", id), headers...)
			}
			s.introspect("192.0.2.1", "app", "right").wantStatus(t, "the client", 200)
			for i := range 3 {
				send("192.0.2.1", fmt.Sprint("made-up-", i)).wantStatus(t, "an unknown client", tc.status)
			}
			send("192.0.2.1", "made-up-3").wantStatus(t, "the fourth", 429)
			send("192.0.2.2", "made-up-3").wantStatus(t, "an unknown client from a different address", tc.status)
			s.introspect("192.0.2.1", "app", "right").wantStatus(t, "a client that has authenticated from this address", 200)
		})
	}
}

func TestMalformedRequestCountsAgainstClient(t *testing.T) {
	t.Parallel()
	s := guarded(t, set("VITAE_TIER_OAUTH", "5/1h 100/1h"), set("VITAE_TIER_FAILED_CLIENT", "2/1h 10/1h"))
	s.introspect("192.0.2.1", "app", "right").wantStatus(t, "the client", 200)
	malformed := func() answer {
		return s.do(http.MethodPost, "/oauth/token", "client_id=app&client_secret=right", "Content-Type", formType, "X-Forwarded-For", "192.0.2.1")
	}
	for range 4 {
		malformed().wantStatus(t, "a malformed request", 400)
	}
	malformed().wantStatus(t, "a malformed request above the client's tier", 429)
	s.introspect("192.0.2.1", "app", "wrong").wantStatus(t, "a wrong secret from the same address", 401)
}

func TestForgedCredentialsLimitSenderIP(t *testing.T) {
	t.Parallel()
	s := guarded(t, set("VITAE_TIER_FAILED_ADDRESS", "4/1h 10/1h"))
	with := func(address, token string) answer {
		return s.do(http.MethodGet, "/v1/me", "", "Authorization", "Bearer "+token, "X-Forwarded-For", address)
	}
	const here = "192.0.2.1"
	with(here, s.auth.token).wantStatus(t, "a live token", 200) // writes its record to Redis
	ended := newToken()
	s.auth.end(ended)
	for range 9 {
		with(here, ended).wantEnvelope(t, 401, "OAUTH_INVALID_TOKEN")
	}
	asked := s.auth.lookups()
	with(here, ended).wantStatus(t, "a revoked token", 401)
	if s.auth.lookups() != asked {
		t.Error("the gateway calls auth each time for a revoked token")
	}
	for _, made := range []string{newToken(), newToken(), newToken(), newToken()[:20]} {
		with(here, made).wantEnvelope(t, 401, "OAUTH_INVALID_TOKEN")
	}
	asked = s.auth.lookups()
	for _, made := range []string{newToken(), newToken(), newToken()[:20]} {
		with(here, made).wantLimited(t, "RATE_LIMIT_EXCEEDED")
	}
	a := s.do(http.MethodGet, "/v1/companies", "", "Authorization", "Bearer "+credential.New(credential.APIKey), "X-Forwarded-For", here)
	a.wantLimited(t, "RATE_LIMIT_EXCEEDED")
	if s.auth.lookups() != asked {
		t.Error("the gateway called auth for an address that sends forged credentials")
	}
	with(here, s.auth.token).wantStatus(t, "a live token from the same address", 200)
	with(here, ended).wantStatus(t, "a revoked token from the same address", 401)
	s.do(http.MethodGet, "/v1/me", "", "X-Forwarded-For", here).wantStatus(t, "no token", 401)
	with("192.0.2.2", newToken()).wantStatus(t, "a different address", 401)
}

func TestForgedLegacyTokensAreLimited(t *testing.T) {
	t.Parallel()
	s := newLegacyScene(t, set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TIER_FAILED_ADDRESS", "2/1h 10/1h"))
	for range 2 {
		s.bearer(http.MethodGet, "/api/oauth/profile", newToken()).wantLegacy(t, 401, "UNAUTHORIZED")
	}
	s.bearer(http.MethodGet, "/api/oauth/profile", newToken()).wantLegacy(t, 429, "RATE_LIMIT_EXCEEDED")
}

func TestPagesAreLimitedPerIP(t *testing.T) {
	t.Parallel()
	s := guarded(t, set("VITAE_TIER_PAGE", "2/1h 10/1h"))
	open := func(address, path string) bool {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("X-Forwarded-For", address)
		r.AddCookie(&http.Cookie{Name: "__Host-vitae_session", Value: "made up"})
		w := httptest.NewRecorder()
		s.gateway.Pages().ServeHTTP(w, r)
		return w.Code != http.StatusTooManyRequests
	}
	for i, want := range []bool{true, true, false} {
		if open("192.0.2.1", "/connections") != want {
			t.Errorf("page %d: served %t", i+1, !want)
		}
	}
	if !open("192.0.2.1", "/sign-in") || !open("192.0.2.1", "/docs") || !open("192.0.2.2", "/connections") {
		t.Error("the limit also applies to sign-in, to a page that calls no service, or to a different address")
	}
}

func TestTierRejectionHasHeaders(t *testing.T) {
	t.Parallel()
	s := guarded(t, set("VITAE_TIER_USER_TOKEN", "2/1h 100/24h"), set("VITAE_TIER_API_KEY", "50/1h 2/24h"))
	const budget = `"minute";q=100000;w=60, "day";q=1000000;w=86400, `
	for path, want := range map[string][2]string{
		"/v1/me":        {budget + `"burst";q=2;w=3600, "sustained";q=100;w=86400`, `"burst";r=0;t=`},
		"/v1/companies": {budget + `"burst";q=50;w=3600, "sustained";q=2;w=86400`, `"sustained";r=0;t=`},
	} {
		ask := func() answer {
			if path == "/v1/me" {
				return s.get(path)
			}
			return s.ask(http.MethodGet, path, "")
		}
		for range 2 {
			a := ask()
			a.wantStatus(t, path, 200)
			if got := a.Header.Get("RateLimit-Policy"); got != want[0] {
				t.Errorf("%s: policies %s, want %s", path, got, want[0])
			}
		}
		a := ask()
		a.wantLimited(t, "RATE_LIMIT_EXCEEDED")
		parts := strings.Split(a.Header.Get("RateLimit"), ", ")
		if last := parts[len(parts)-1]; len(parts) != 3 || last != want[1]+a.Header.Get("Retry-After") || a.Header.Get("RateLimit-Policy") != want[0] {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
	for range 3 {
		s.introspect("192.0.2.1", "app", "right")
	}
	a := s.introspect("192.0.2.1", "app", "right")
	if policy, left := a.Header.Get("RateLimit-Policy"), a.Header.Get("RateLimit"); policy != `"burst";q=3;w=3600, "sustained";q=100;w=3600` ||
		left != `"burst";r=0;t=`+a.Header.Get("Retry-After") {
		t.Errorf("%s and %s", policy, left)
	}
}
