package oauth

import (
	"net/http"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// revocation is the data of a revocation response (behaviour: tokens#revocation).
type revocation struct {
	Revoked bool `json:"revoked"`
}

// Revoke serves POST /oauth/revoke (RFC 7009). It answers success for every token,
// also an unknown one, and uses the envelope (behaviour: tokens#revocation).
func Revoke(auth authv1.OAuthServiceClient, clients *admission.Clients) http.HandlerFunc {
	return form(clients, func(w http.ResponseWriter, r *http.Request, req request) error {
		token, err := req.need("token")
		if err != nil {
			return err
		}
		if _, err := auth.RevokeToken(r.Context(), &authv1.RevokeTokenRequest{Client: req.client, Token: token}, req.learn()); err != nil {
			return err
		}
		answer.WriteData(w, revocation{Revoked: true})
		return nil
	})
}
