package legacy

import (
	"net/http"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// revoke revokes the request's token.
func (s *server) revoke(w http.ResponseWriter, r *http.Request) error {
	presented, err := admission.PresentLegacyToken(r)
	if err != nil {
		return err
	}
	if _, err := s.tokens.RevokeLegacyToken(r.Context(), &authv1.RevokeLegacyTokenRequest{Hash: presented.Hash[:]}); err != nil {
		return err
	}
	answer.WriteJSON(w, http.StatusOK, envelope{Success: true, Message: "The access token is revoked."})
	return nil
}
