package oauth

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/scope"
)

// discovery is the discovery document (RFC 8414 §2, RFC 9207 §3). It lists only what is supported
// (behaviour: sign-in#discovery-document).
type discovery struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	IntrospectionEndpoint string   `json:"introspection_endpoint"`
	UserinfoEndpoint      string   `json:"userinfo_endpoint"`
	ServiceDocumentation  string   `json:"service_documentation"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	AuthMethods           []string `json:"token_endpoint_auth_methods_supported"`
	// Without these two fields, clients assume that only client_secret_basic is supported (RFC 8414
	// §2).
	RevocationAuthMethods    []string `json:"revocation_endpoint_auth_methods_supported"`
	IntrospectionAuthMethods []string `json:"introspection_endpoint_auth_methods_supported"`
	IssuerParameter          bool     `json:"authorization_response_iss_parameter_supported"`
}

// Discovery serves GET /.well-known/oauth-authorization-server.
func Discovery(baseURL, appURL string) http.HandlerFunc {
	authMethods := []string{"client_secret_basic", "client_secret_post", "none"}
	doc := discovery{
		Issuer:                baseURL,
		AuthorizationEndpoint: baseURL + "/oauth/authorize",
		TokenEndpoint:         baseURL + "/oauth/token",
		RevocationEndpoint:    baseURL + "/oauth/revoke",
		IntrospectionEndpoint: baseURL + "/oauth/introspect",
		UserinfoEndpoint:      baseURL + "/v1/me",
		ServiceDocumentation:  appURL + "/docs",
		Scopes:                scope.User(),
		ResponseTypes:         []string{"code"},
		GrantTypes:            []string{"authorization_code", "refresh_token"},
		ChallengeMethods:      []string{"S256"},
		AuthMethods:           authMethods,

		RevocationAuthMethods: authMethods, IntrospectionAuthMethods: authMethods, IssuerParameter: true,
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=3600")
		answer.WriteJSON(w, http.StatusOK, doc)
	}
}
