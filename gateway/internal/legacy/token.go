package legacy

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/jsonbody"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type tokenData struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int32  `json:"expires_in"`
	Scope       string `json:"scope"`
}

type tokenRequest struct {
	client *authv1.ClientAuthentication
	code   string
}

// token exchanges a code. Anyone can send a client id, so only an authenticated request is charged to the app's
// hourly limit. Other requests are charged to the IP address
// (behaviour: legacy#unauthenticated-token-requests).
func (s *server) token(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
	asked, err := readTokenRequest(r)
	if err != nil {
		return s.failed(r, err)
	}
	claimed := admission.Client{ID: asked.client.GetClientId(), Secret: asked.client.ClientSecret}
	end, err := s.clients.Admit(r, claimed)
	defer end()
	if err != nil {
		return err
	}
	app, err := s.tokens.AuthenticateLegacyClient(r.Context(), &authv1.AuthenticateLegacyClientRequest{Client: asked.client})
	if err != nil {
		if errs.HasCode(err, answer.CodeOAuthClient) {
			s.clients.Failed(r, claimed)
		}
		return s.failed(r, err)
	}
	s.clients.Proven(r, claimed)
	chain.ExchangeOf(r.Context()).Caller = chain.Caller{AccountID: app.GetAccountId(), AppID: app.GetAppId()}
	if app.GetAccountSuspended() {
		s.Partners.Show(w, r, app.GetAppId())
		return admission.Suspended()
	}
	if err := s.Partners.Charge(w, r, app.GetAppId()); err != nil {
		return err
	}
	tokens, err := s.tokens.ExchangeLegacyCode(r.Context(), &authv1.ExchangeLegacyCodeRequest{Client: asked.client, Code: asked.code})
	if err != nil {
		return err
	}
	succeed(w, tokenData{
		AccessToken: tokens.GetAccessToken(), TokenType: "Bearer",
		ExpiresIn: tokens.GetExpiresIn(), Scope: strings.Join(tokens.GetScopes(), " "),
	})
	return nil
}

// failed charges a request whose client is not authenticated to its IP address, and returns the error for
// the response.
func (s *server) failed(r *http.Request, err error) error {
	if kind := errs.KindOf(err); kind == errs.Invalid || kind == errs.Unauthenticated {
		if over := s.Admission.Forms().Charge(r); over != nil {
			return over
		}
	}
	return err
}

// tokenFields lists the fields that must be sent in the body, because URLs are stored in logs and browser
// histories (behaviour: legacy#token-request).
var tokenFields = []string{"client_id", "client_secret", "code", "grant_type"}

// readTokenRequest parses a token request. It returns UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or
// PUBLIC_API_VALIDATION_ERROR with the field.
func readTokenRequest(r *http.Request) (tokenRequest, error) {
	query := r.URL.Query()
	for _, name := range tokenFields {
		if query.Has(name) {
			return tokenRequest{}, fault.InJSON(name, "must be in the body, not in the query")
		}
	}
	raw, err := chain.ReadJSON(r)
	if err != nil {
		return tokenRequest{}, err
	}
	body, err := jsonbody.Strings(raw, tokenFields...)
	if err != nil {
		return tokenRequest{}, err
	}
	if body["grant_type"] != "authorization_code" {
		return tokenRequest{}, fault.InJSON("grant_type", "must be authorization_code")
	}
	secret := body["client_secret"]
	return tokenRequest{
		client: &authv1.ClientAuthentication{ClientId: body["client_id"], ClientSecret: &secret}, code: body["code"],
	}, nil
}

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
