package oauth

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// activeToken describes a live token of the client
// (behaviour: tokens#introspection).
type activeToken struct {
	Active       bool   `json:"active"`
	Scope        string `json:"scope"`
	ClientID     string `json:"client_id"`
	TokenType    string `json:"token_type"`
	Subject      string `json:"sub"`
	Expiry       *int64 `json:"exp"`
	ConnectionID string `json:"connection_id"`
}

// inactiveToken is the answer for every other token
// (behaviour: tokens#introspection).
type inactiveToken struct {
	Active bool `json:"active"`
}

// Introspect serves POST /oauth/introspect (RFC 7662).
func Introspect(auth authv1.OAuthServiceClient, clients *admission.Clients) http.HandlerFunc {
	return form(clients, func(w http.ResponseWriter, r *http.Request, req request) error {
		token, err := req.need("token")
		if err != nil {
			return err
		}
		resp, err := auth.IntrospectToken(r.Context(), &authv1.IntrospectTokenRequest{Client: req.client, Token: token}, req.learn())
		if err != nil {
			return err
		}
		if !resp.GetActive() {
			answer.WriteJSON(w, http.StatusOK, inactiveToken{})
			return nil
		}
		answer.WriteJSON(w, http.StatusOK, activeToken{
			Active:       true,
			Scope:        strings.Join(resp.GetScopes(), " "),
			ClientID:     resp.GetClientId(),
			TokenType:    tokenType,
			Subject:      resp.GetPersonId(),
			Expiry:       expiry(resp),
			ConnectionID: resp.GetConnectionId(),
		})
		return nil
	})
}

// expiry is the end of the token as a Unix timestamp, nil if it does not expire.
func expiry(resp *authv1.IntrospectTokenResponse) *int64 {
	if resp.GetExpiresAt() == nil {
		return nil
	}
	seconds := resp.GetExpiresAt().GetSeconds()
	return &seconds
}
