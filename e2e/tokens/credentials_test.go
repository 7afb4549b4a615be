package tokens_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

func TestRequestIDsAreOursAlone(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	const planted = "planted-by-the-client"
	for _, target := range []string{
		"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf", "/v1/cv-links/none", "/v1/nothing", "/oauth/authorize", "/oauth/token",
		"/oauth/introspect", "/oauth/revoke", "/oauth/nothing",
	} {
		for _, token := range []string{c.Tokens.Access, ""} {
			a := expect.Must(c.App.Get(t.Context(), target, token, "X-Request-Id", planted, "X-Forwarded-For", "203.0.113.9"))(t)
			expect.Identified(t, a)
			if a.Header.Get("X-Request-Id") == planted {
				t.Errorf("%s took over the client's x-request-id", target)
			}
		}
	}
}

func TestForgedIdentityHeadersAreIgnored(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	forged := []string{
		"Grpc-Metadata-Vitae-Principal-Bin", "AAAA", "Vitae-Principal-Bin", "AAAA",
		"Grpc-Metadata-Authorization", "Bearer " + c.Tokens.Access, "X-Forwarded-Host", "evil.example.com",
	}
	expect.Refused(t, expect.Must(c.App.Get(t.Context(), "/v1/me", "", forged...))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	expect.Success(t, expect.Must(c.App.Get(t.Context(), "/v1/me", c.Tokens.Access, forged...))(t))
}

func TestMissingAndDeadTokensAreChallenged(t *testing.T) {
	t.Parallel()
	app := partner.Client{BaseURL: suite.System.BaseURLs[0]}
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
		missing := expect.Must(app.Get(t.Context(), path, ""))(t)
		expect.Refused(t, missing, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
		if h := missing.Header.Get("WWW-Authenticate"); !strings.HasPrefix(h, "Bearer") || strings.Contains(h, "error=") {
			t.Errorf("%s without a token: WWW-Authenticate %q, want Bearer without an error (RFC 6750 §3.1)", path, h)
		}
		for _, token := range []string{"x", "svc_at_", "svc_at_" + strings.Repeat("A", 49), strings.Repeat("A", 7000)} {
			dead := expect.Must(app.Get(t.Context(), path, token))(t)
			expect.Refused(t, dead, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
			if h := dead.Header.Get("WWW-Authenticate"); !strings.HasPrefix(h, "Bearer") || !strings.Contains(h, `error="invalid_token"`) {
				t.Errorf("%s with a dead token: WWW-Authenticate %q", path, h)
			}
		}
	}
}

func TestTokenIsTakenFromTheAuthorizationHeaderAlone(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	for _, a := range []partner.Answer{
		expect.Must(c.App.Get(t.Context(), "/v1/me?access_token="+c.Tokens.Access, ""))(t),
		expect.Must(c.App.Get(t.Context(), "/v1/me", "", "Authorization", "Basic "+c.Tokens.Access))(t),
		expect.Must(c.App.Get(t.Context(), "/v1/me", "", "Authorization", c.Tokens.Access))(t),
		expect.Must(c.App.Get(t.Context(), "/v1/me", c.Tokens.Access, "Authorization", "Bearer "+c.Tokens.Access))(t),
	} {
		expect.Refused(t, a, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	}
	// The name of the scheme is case-insensitive (RFC 9110 §11.1).
	expect.Success(t, expect.Must(c.App.Get(t.Context(), "/v1/me", "", "Authorization", "bearer "+c.Tokens.Access))(t))
}

func TestTheTwoCredentialKindsNeverMix(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	secret := c.Vitaectl(t, "key", "create", "--app", c.Created.Apps["web"].ID, "--scopes", "companies:read")["key"].(string)
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
		expect.Refused(t, expect.Must(c.App.Get(t.Context(), path, secret))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
		expect.Refused(t, expect.Must(c.App.Get(t.Context(), path, c.Tokens.Refresh))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	}
	if link := expect.Must(c.App.Get(t.Context(), "/v1/cv-links/"+c.Tokens.Access, ""))(t); link.Status != http.StatusNotFound {
		t.Errorf("an access token as a link: %s", link)
	}
}
