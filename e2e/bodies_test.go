package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
)

func discoveryDocument(t testing.TB) map[string]any {
	t.Helper()
	return must(open(t, system.BaseURLs[0]+"/.well-known/oauth-authorization-server").JSON())(t)
}

func TestDiscoveryListsExactlyWhatWorks(t *testing.T) {
	t.Parallel()
	base := system.BaseURLs[0]
	matches(t, "discovery", map[string]any{
		"issuer":                 base,
		"authorization_endpoint": base + "/oauth/authorize",
		"token_endpoint":         base + "/oauth/token",
		"revocation_endpoint":    base + "/oauth/revoke",
		"introspection_endpoint": base + "/oauth/introspect",
		"userinfo_endpoint":      base + "/v1/me",
		"service_documentation":  identifier,
		"scopes_supported":       []any{"profile", "email", "cv:read", "cv:contact"},

		"response_types_supported":                       []any{"code"},
		"grant_types_supported":                          []any{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported":               []any{"S256"},
		"token_endpoint_auth_methods_supported":          []any{"client_secret_basic", "client_secret_post", "none"},
		"authorization_response_iss_parameter_supported": true,
	}, discoveryDocument(t))
}

func TestServiceDocumentationIsThere(t *testing.T) {
	t.Parallel()
	if a := open(t, discoveryDocument(t)["service_documentation"].(string)); a.Status != http.StatusOK {
		t.Errorf("service_documentation: %s", a)
	}
}

func TestTokenResponsesHaveTheirFiveFields(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	r := app.NewRequest("cv:read profile email cv:read")
	answer := must(app.Exchange(t.Context(), code(t, app, s.person(t, "layla"), r, person.Choice{Drop: []string{"email"}}), r.Verifier))(t)
	want := map[string]any{
		"access_token": credential("svc_at_"), "refresh_token": credential("svc_rt_"),
		"token_type": "Bearer", "expires_in": json.Number("3600"), "scope": "profile cv:read",
	}
	matches(t, "token response", want, flat(t, answer, http.StatusOK))
	again := must(app.Refresh(t.Context(), must(answer.Tokens())(t).Refresh, ""))(t)
	matches(t, "refresh response", want, flat(t, again, http.StatusOK))
}

func credential(prefix string) matcher {
	return func(v any) error {
		if s, ok := v.(string); !ok || !strings.HasPrefix(s, prefix) || len(s) < len(prefix)+43 {
			return identifier(nil)
		}
		return nil
	}
}

func TestIntrospectionDescribesALiveTokenToItsOwner(t *testing.T) {
	t.Parallel()
	c := everything(t)
	me := success(t, c.get(t, "/v1/me"))
	for token, life := range map[string]time.Duration{c.tokens.Access: time.Hour, c.tokens.Refresh: 90 * 24 * time.Hour} {
		for _, at := range c.replicas(c.app) {
			body := flat(t, must(at.Introspect(t.Context(), token))(t), http.StatusOK)
			matches(t, "introspection", map[string]any{
				"active": true, "scope": allScopes, "client_id": c.app.ID, "token_type": "Bearer",
				"sub": me["id"], "exp": unixNear(time.Now().Add(life)), "connection_id": me["connection"].(map[string]any)["id"],
			}, body)
		}
	}
}

// unixNear matches a whole number of seconds within five minutes of a moment.
func unixNear(want time.Time) matcher {
	return func(v any) error {
		n, _ := v.(json.Number)
		seconds, err := n.Int64()
		if err != nil || time.Unix(seconds, 0).Sub(want).Abs() > 5*time.Minute {
			return identifier(nil)
		}
		return nil
	}
}

func TestIntrospectionAnswersAreByteIdenticalForEveryOtherToken(t *testing.T) {
	t.Parallel()
	c := everything(t)
	stranger := c.scene.app(t, "other")
	foreign := connect(t, stranger, c.person, "profile", person.Choice{})
	rotated := c.tokens.Refresh
	next := must(must(c.app.Refresh(t.Context(), rotated, ""))(t).Tokens())(t)
	revoked(t, must(c.app.Revoke(t.Context(), next.Access))(t))
	for name, token := range map[string]string{
		"unknown": "svc_at_unknown", "no token at all": "x", "foreign access": foreign.Access, "foreign refresh": foreign.Refresh,
		"rotated": rotated, "revoked": next.Access, "a client id": c.app.ID,
	} {
		a := must(c.app.Introspect(t.Context(), token))(t)
		flat(t, a, http.StatusOK)
		if string(a.Body) != `{"active":false}` {
			t.Errorf("%s: %s", name, a)
		}
	}
}

func TestIntrospectionShowsTheScopesInForce(t *testing.T) {
	t.Parallel()
	c := everything(t)
	c.share(t, false)
	body := flat(t, must(c.app.Introspect(t.Context(), c.tokens.Access))(t), http.StatusOK)
	if body["scope"] != "profile email" {
		t.Errorf("scope %v, want profile email", body["scope"])
	}
}

func TestRequestIDsAreOursAlone(t *testing.T) {
	t.Parallel()
	c := everything(t)
	const planted = "planted-by-the-client"
	for _, target := range []string{
		"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf", "/v1/cv-links/none", "/v1/nothing", "/oauth/authorize", "/oauth/token",
		"/oauth/introspect", "/oauth/revoke", "/oauth/nothing",
	} {
		for _, token := range []string{c.tokens.Access, ""} {
			a := must(c.app.Get(t.Context(), target, token, "X-Request-Id", planted, "X-Forwarded-For", "203.0.113.9"))(t)
			identified(t, a)
			if a.Header.Get("X-Request-Id") == planted {
				t.Errorf("%s took over the client's x-request-id", target)
			}
		}
	}
}

func TestForgedIdentityHeadersAreIgnored(t *testing.T) {
	t.Parallel()
	c := everything(t)
	forged := []string{
		"Grpc-Metadata-Vitae-Principal-Bin", "AAAA", "Vitae-Principal-Bin", "AAAA",
		"Grpc-Metadata-Authorization", "Bearer " + c.tokens.Access, "X-Forwarded-Host", "evil.example.com",
	}
	refused(t, must(c.app.Get(t.Context(), "/v1/me", "", forged...))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	success(t, must(c.app.Get(t.Context(), "/v1/me", c.tokens.Access, forged...))(t))
}

func TestMissingAndDeadTokensAreChallenged(t *testing.T) {
	t.Parallel()
	app := partner.Client{BaseURL: system.BaseURLs[0]}
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
		missing := must(app.Get(t.Context(), path, ""))(t)
		refused(t, missing, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
		if h := missing.Header.Get("WWW-Authenticate"); !strings.HasPrefix(h, "Bearer") || strings.Contains(h, "error=") {
			t.Errorf("%s without a token: WWW-Authenticate %q, want Bearer without an error (RFC 6750 §3.1)", path, h)
		}
		for _, token := range []string{"x", "svc_at_", "svc_at_" + strings.Repeat("A", 49), strings.Repeat("A", 7000)} {
			dead := must(app.Get(t.Context(), path, token))(t)
			refused(t, dead, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
			if h := dead.Header.Get("WWW-Authenticate"); !strings.HasPrefix(h, "Bearer") || !strings.Contains(h, `error="invalid_token"`) {
				t.Errorf("%s with a dead token: WWW-Authenticate %q", path, h)
			}
		}
	}
}

func TestTokenIsTakenFromTheAuthorizationHeaderAlone(t *testing.T) {
	t.Parallel()
	c := everything(t)
	for _, a := range []partner.Answer{
		must(c.app.Get(t.Context(), "/v1/me?access_token="+c.tokens.Access, ""))(t),
		must(c.app.Get(t.Context(), "/v1/me", "", "Authorization", "Basic "+c.tokens.Access))(t),
		must(c.app.Get(t.Context(), "/v1/me", "", "Authorization", c.tokens.Access))(t),
		must(c.app.Get(t.Context(), "/v1/me", c.tokens.Access, "Authorization", "Bearer "+c.tokens.Access))(t),
	} {
		refused(t, a, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	}
	// The scheme's name is taken in any case (RFC 9110 §11.1).
	success(t, must(c.app.Get(t.Context(), "/v1/me", "", "Authorization", "bearer "+c.tokens.Access))(t))
}
