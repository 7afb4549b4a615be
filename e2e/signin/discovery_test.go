package signin_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

func discoveryDocument(t testing.TB) map[string]any {
	t.Helper()
	return expect.Must(scene.Open(t, suite.System.BaseURLs[0]+"/.well-known/oauth-authorization-server").JSON())(t)
}

func TestDiscoveryListsExactlyWhatWorks(t *testing.T) {
	t.Parallel()
	base := suite.System.BaseURLs[0]
	expect.Matches(t, "discovery", map[string]any{
		"issuer":                 base,
		"authorization_endpoint": base + "/oauth/authorize",
		"token_endpoint":         base + "/oauth/token",
		"revocation_endpoint":    base + "/oauth/revoke",
		"introspection_endpoint": base + "/oauth/introspect",
		"userinfo_endpoint":      base + "/v1/me",
		"service_documentation":  expect.Identifier,
		"scopes_supported":       []any{"profile", "email", "cv:read", "cv:contact"},

		"response_types_supported":                       []any{"code"},
		"grant_types_supported":                          []any{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported":               []any{"S256"},
		"token_endpoint_auth_methods_supported":          []any{"client_secret_basic", "client_secret_post", "none"},
		"revocation_endpoint_auth_methods_supported":     []any{"client_secret_basic", "client_secret_post", "none"},
		"introspection_endpoint_auth_methods_supported":  []any{"client_secret_basic", "client_secret_post", "none"},
		"authorization_response_iss_parameter_supported": true,
	}, discoveryDocument(t))
}

func TestServiceDocumentationIsThere(t *testing.T) {
	t.Parallel()
	if a := scene.Open(t, discoveryDocument(t)["service_documentation"].(string)); a.Status != http.StatusOK {
		t.Errorf("service_documentation: %s", a)
	}
}
