package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

var budgetHeaders = []string{
	"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-quota-limit", "x-quota-remaining", "x-quota-reset",
	"RateLimit-Policy", "RateLimit",
}

// quotaLeft returns the number of requests left today according to the headers, or -1 if they are
// missing.
func (a answer) quotaLeft(t *testing.T) int {
	t.Helper()
	if !slices.ContainsFunc(budgetHeaders, func(name string) bool { return a.Header.Get(name) != "" }) {
		return -1
	}
	for _, name := range budgetHeaders {
		if got := a.Header.Values(name); len(got) != 1 || got[0] == "" {
			t.Errorf("%d %s: %s is %q", a.StatusCode, a.body, name, got)
		}
	}
	left, err := strconv.Atoi(a.Header.Get("x-quota-remaining"))
	if err != nil {
		t.Error(err)
	}
	return left
}

// wantLimited checks a 429 response in the envelope and returns the number of seconds to wait.
func (a answer) wantLimited(t *testing.T, code string) int {
	t.Helper()
	var body struct {
		Data  *struct{}                      `json:"data"`
		Error struct{ Code, Message string } `json:"error"`
		Meta  struct {
			RetryAfter int `json:"retryAfter"`
		} `json:"meta"`
	}
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("%d %s: %v", a.StatusCode, a.body, err)
	}
	if a.StatusCode != 429 || body.Error.Code != code || body.Error.Message == "" || body.Meta.RetryAfter < 1 ||
		a.Header.Get("Retry-After") != strconv.Itoa(body.Meta.RetryAfter) || a.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("%d %s %v, want 429 %s", a.StatusCode, a.body, a.Header, code)
	}
	return body.Meta.RetryAfter
}

func planned(p *identityv1.Principal, perMinute, perDay int32) *authv1.SessionRecord {
	return &authv1.SessionRecord{Principal: p, Plan: &authv1.Plan{PerMinute: perMinute, PerDay: perDay}}
}

func TestKnownAccountsGetBudgetHeaders(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.auth.spent = 1000
	narrow, suspended := newToken(), newToken()
	s.auth.put(narrow, &authv1.SessionRecord{Principal: &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AccountId: "dev_1", AppId: "app_1", ConnectionId: "con_2",
	}})
	gone := &authv1.SessionRecord{Principal: fullPrincipal(), AccountSuspended: true}
	s.auth.put(suspended, gone)
	with := func(token string) answer {
		return s.do(http.MethodGet, "/v1/me", "", "Authorization", "Bearer "+token)
	}
	tag := s.get("/v1/me/cv").Header.Get("ETag")
	left := 1_000_000 - 1000 - 1

	metered := []struct {
		status int
		ask    func() answer
	}{
		{200, func() answer { return s.get("/v1/me") }},
		{200, func() answer { return s.do(http.MethodHead, "/v1/me", "", "Authorization", "Bearer "+s.auth.token) }},
		{200, func() answer { return s.get("/v1/me/cv") }},
		{304, func() answer { return s.get("/v1/me/cv", "If-None-Match", tag) }},
		{200, func() answer { return s.get("/v1/me/cv.pdf") }},
		{403, func() answer { return with(narrow) }},
		{400, func() answer { return s.get("/v1/me?x=%zz") }},
		{200, func() answer { return s.ask("GET", "/v1/companies", "") }},
		{400, func() answer { return s.ask("GET", "/v1/companies?page=x", "") }},
		{415, func() answer { return s.ask("POST", "/v1/companies", "{}", "Content-Type", "text/plain") }},
		{400, func() answer { return s.ask("POST", "/v1/companies", "{") }},
		{413, func() answer { return s.ask("POST", "/v1/companies", strings.Repeat(" ", 1<<20+1)) }},
		{404, func() answer {
			s.me.set(func(f *fakeMe) { f.fault = errs.New(errs.NotFound, "CV_NOT_FOUND", "none") })
			return s.get("/v1/me/cv")
		}},
		{503, func() answer {
			s.me.set(func(f *fakeMe) { f.fault = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down") })
			return s.get("/v1/me")
		}},
		{500, func() answer { s.me.set(func(f *fakeMe) { f.panic = true }); return s.get("/v1/me") }},
	}
	for _, m := range metered {
		a := m.ask()
		left--
		if got := a.quotaLeft(t); a.StatusCode != m.status || got != left {
			t.Errorf("%d %s: %d left, want %d and %d", a.StatusCode, a.body, got, m.status, left)
		}
	}
	if a := with(suspended); a.StatusCode != 403 || a.quotaLeft(t) != left {
		t.Errorf("suspended: %d, %d left, but the request must not be charged", a.StatusCode, a.quotaLeft(t))
	}
	s.me.set(func(f *fakeMe) { f.fault, f.panic = nil, false })
	s.wantNoBudget(t)
	if got := s.get("/v1/me").quotaLeft(t); got != left-1 {
		t.Errorf("%d left, want %d: a request that must be free was charged", got, left-1)
	}
}

// wantNoBudget checks that responses without an authenticated account have no budget headers.
func (s *scene) wantNoBudget(t *testing.T) {
	t.Helper()
	for name, a := range map[string]answer{
		"no credential": s.do("GET", "/v1/me", ""), "a dead token": s.do("GET", "/v1/me", "", "Authorization", "Bearer "+newToken()), "no path": s.get("/v1/nothing"),
		"no method": s.do("PUT", "/v1/me", ""), "a CV link": s.link(), "discovery": s.get("/.well-known/oauth-authorization-server"),
		"the token endpoint": s.post("/oauth/token", "client_id=a"),
	} {
		if got := a.quotaLeft(t); got != -1 {
			t.Errorf("%s: %d has budget headers, %d left", name, a.StatusCode, got)
		}
	}
}

func TestCredentialsShareAccountBudget(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	other := newToken()
	stranger := fullPrincipal()
	stranger.AccountId, stranger.ConnectionId = "dev_2", "con_9"
	s.auth.put(other, planned(stranger, 10, 10))
	s.auth.put(s.auth.token, planned(fullPrincipal(), 1000, 4))
	s.auth.put(s.auth.key, planned(keyPrincipal(), 1000, 4))
	for left := 3; left > 0; left -= 2 {
		for i, a := range []answer{s.get("/v1/me"), s.ask("GET", "/v1/companies", "")} {
			if a.StatusCode != 200 || a.quotaLeft(t) != left-i {
				t.Errorf("%d, %d left, want %d", a.StatusCode, a.quotaLeft(t), left-i)
			}
		}
	}
	for _, a := range []answer{s.get("/v1/me"), s.ask("GET", "/v1/companies", "")} {
		wait := a.wantLimited(t, "QUOTA_EXCEEDED")
		reset, _ := strconv.ParseInt(a.Header.Get("x-quota-reset"), 10, 64)
		if toMidnight := reset - time.Now().Unix(); int64(wait) < toMidnight || int64(wait) > toMidnight+60 || reset%86400 != 0 {
			t.Errorf("wait %d s, midnight is in %d s", wait, toMidnight)
		}
		if a.quotaLeft(t) != 0 {
			t.Errorf("%d left", a.quotaLeft(t))
		}
	}
	if a := s.do("GET", "/v1/me", "", "Authorization", "Bearer "+other); a.StatusCode != 200 || a.quotaLeft(t) != 9 {
		t.Errorf("a different account: %d %v", a.StatusCode, a.Header)
	}
}

// tiers returns a scene whose rate limits do not refill during a test.
func tiers(t *testing.T) *scene {
	s := newScene(t, set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TIER_OAUTH", "3/1h 100/1h"), set("VITAE_TIER_API_KEY", "2/1h 100/1h"),
		set("VITAE_TIER_USER_TOKEN", "2/1h 100/1h"), set("VITAE_TIER_CV_LINK", "2/1h 100/1h"), set("VITAE_TIER_PHOTO", "2/1h 100/1h"), set("VITAE_TIER_RESUME", "2/1h 100/1h"),
		set("VITAE_TRUSTED_PROXIES", "127.0.0.1"))
	s.auth.refresh = func(*authv1.RefreshTokenRequest) (*authv1.TokenPair, error) { return &authv1.TokenPair{}, nil }
	s.auth.introspect = func(*authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
		return &authv1.IntrospectTokenResponse{}, nil
	}
	s.auth.revoke = func(*authv1.RevokeTokenRequest) error { return nil }
	return s
}

func TestOAuthEndpointsShareClientTier(t *testing.T) {
	t.Parallel()
	s := tiers(t)
	form := url.Values{"token": {"t"}, "grant_type": {"refresh_token"}, "refresh_token": {"r"}}
	body := func(id string) string { return form.Encode() + "&client_id=" + id }
	post := func(path, body string, headers ...string) answer {
		return s.do(http.MethodPost, path, body, append(headers, "Content-Type", formType)...)
	}
	for _, a := range []answer{
		post("/oauth/token", body("a")+"&client_secret=secret"), post("/oauth/introspect", body("a")+"&client_secret=secret"),
		post("/oauth/introspect", form.Encode(), "Authorization", basic("a", "secret")),
	} {
		if a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
	}
	for _, path := range []string{"/oauth/token", "/oauth/introspect"} {
		a := post(path, body("a")+"&client_secret=secret")
		a.wantFlat(t, 429, "temporarily_unavailable")
		if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 1200 {
			t.Errorf("%s: Retry-After %q", path, a.Header.Get("Retry-After"))
		}
	}
	for range 3 { // revoke has a separate tier
		if a := post("/oauth/revoke", form.Encode(), "Authorization", basic("a", "secret")); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
	}
	post("/oauth/revoke", body("a")+"&client_secret=secret").wantLimited(t, "RATE_LIMIT_EXCEEDED")
	if a := post("/oauth/token", body("b")); a.StatusCode != 200 {
		t.Errorf("a different client: %d %s", a.StatusCode, a.body)
	}
}

func TestGatewayLimitsWithoutRedis(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_REDIS_URL", "redis://127.0.0.1:1/0"))
	s.auth.spent = 7
	s.auth.put(s.auth.token, planned(fullPrincipal(), 1000, 10))
	for left := 2; left >= 0; left-- {
		if a := s.get("/v1/me"); a.StatusCode != 200 || a.quotaLeft(t) != left {
			t.Errorf("%d, %d left, want %d", a.StatusCode, a.quotaLeft(t), left)
		}
	}
	s.get("/v1/me").wantLimited(t, "QUOTA_EXCEEDED")
}
