package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Each tier has a different limit, so the test detects a surface that counts against the wrong
// tier.
func TestEachSurfaceHasItsOwnTier(t *testing.T) {
	t.Parallel()
	figures := map[string]int{
		"OAUTH": 101, "API_KEY": 102, "USER_TOKEN": 103, "CV_LINK": 104, "PHOTO": 105, "RESUME": 106, "FAILED_CLIENT": 107, "FAILED_ADDRESS": 108, "AUTHORIZE": 109,
	}
	options := []option{set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TRUSTED_PROXIES", "127.0.0.1")}
	for name, figure := range figures {
		options = append(options, set("VITAE_TIER_"+name, fmt.Sprintf("2/1h %d/1h", figure)))
	}
	s := newScene(t, options...)
	as := func(credential string) []string { return []string{"Authorization", "Bearer " + credential} }
	asked := 0
	for name, c := range map[string]struct {
		method, target, tier string
		headers              []string
	}{
		"a token request without client":  {"POST", "/oauth/token", "OAUTH", nil},
		"a revocation without client":     {"POST", "/oauth/revoke", "OAUTH", nil},
		"an introspection without client": {"POST", "/oauth/introspect", "OAUTH", nil},
		"an API key":                      {"GET", "/v1/companies", "API_KEY", as(s.auth.key)},
		"a token":                         {"GET", "/v1/me", "USER_TOKEN", as(s.auth.token)},
		"a durable link":                  {"GET", "/v1/cv-links/made-up", "CV_LINK", nil},
		"a photo":                         {"GET", "/v1/photos/made-up", "PHOTO", nil},
		"a resume":                        {"GET", "/resumes?made=up", "RESUME", nil},
		"an unknown key":                  {"GET", "/v1/companies", "FAILED_ADDRESS", as("svc_sk_made-up")},
		"an authorization request":        {"GET", "/oauth/authorize?client_id=made-up", "AUTHORIZE", nil},
	} {
		asked++
		from := append(c.headers, "X-Forwarded-For", fmt.Sprintf("192.0.2.%d", asked))
		var a answer
		for range 3 { // the burst is two requests, so the third is rejected
			a = s.do(c.method, c.target, "", from...)
		}
		want := fmt.Sprintf(`"burst";q=2;w=3600, "sustained";q=%d;w=3600`, figures[c.tier])
		if got := a.Header.Get("RateLimit-Policy"); a.StatusCode != http.StatusTooManyRequests || !strings.HasSuffix(got, want) {
			t.Errorf("%s: status %d, policy %s, want the policy of %s", name, a.StatusCode, got, c.tier)
		}
	}
}
