package oauth

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// tokenResponse is the body of a token response (behaviour: tokens#token-response).
type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int32  `json:"expires_in"`
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
}

const tokenType = "Bearer"

// Token serves POST /oauth/token.
func Token(auth authv1.OAuthServiceClient, clients *admission.Clients) http.HandlerFunc {
	return form(clients, func(w http.ResponseWriter, r *http.Request, req request) error {
		grantType, err := req.need("grant_type")
		if err != nil {
			return err
		}
		var tokens *authv1.TokenPair
		switch grantType {
		case "authorization_code":
			tokens, err = exchange(r, auth, req)
		case "refresh_token":
			tokens, err = refresh(r, auth, req)
		default:
			err = errs.New(errs.Invalid, answer.CodeOAuthGrantType, "Only authorization_code and refresh_token are supported.")
		}
		if err != nil {
			return err
		}
		answer.WriteJSON(w, http.StatusOK, tokenResponse{
			AccessToken:  tokens.GetAccessToken(),
			TokenType:    tokenType,
			ExpiresIn:    tokens.GetExpiresIn(),
			RefreshToken: tokens.GetRefreshToken(),
			Scope:        strings.Join(tokens.GetScopes(), " "),
		})
		return nil
	})
}

// exchange redeems an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.5).
func exchange(r *http.Request, auth authv1.OAuthServiceClient, req request) (*authv1.TokenPair, error) {
	code, err := req.need("code")
	if err != nil {
		return nil, err
	}
	redirectURI, err := req.need("redirect_uri")
	if err != nil {
		return nil, err
	}
	verifier, err := req.need("code_verifier")
	if err != nil {
		return nil, err
	}
	resp, err := auth.ExchangeCode(r.Context(), &authv1.ExchangeCodeRequest{
		Client: req.client, Code: code, RedirectUri: redirectURI, CodeVerifier: verifier,
	}, req.withApp())
	return resp.GetTokens(), err
}

// refresh rotates a refresh token (RFC 6749 §6).
func refresh(r *http.Request, auth authv1.OAuthServiceClient, req request) (*authv1.TokenPair, error) {
	token, err := req.need("refresh_token")
	if err != nil {
		return nil, err
	}
	resp, err := auth.RefreshToken(r.Context(), &authv1.RefreshTokenRequest{
		Client: req.client, RefreshToken: token, Scope: req.body.Optional("scope"),
	}, req.withApp())
	return resp.GetTokens(), err
}

// revocation is the data of a revocation response (behaviour: tokens#revocation).
type revocation struct {
	Revoked bool `json:"revoked"`
}

// Revoke serves POST /oauth/revoke (RFC 7009). It reports success for every token, even for an unknown one.
// The response is in the envelope (behaviour: tokens#revocation).
func Revoke(auth authv1.OAuthServiceClient, clients *admission.Clients) http.HandlerFunc {
	return form(clients, func(w http.ResponseWriter, r *http.Request, req request) error {
		token, err := req.need("token")
		if err != nil {
			return err
		}
		if _, err := auth.RevokeToken(r.Context(), &authv1.RevokeTokenRequest{Client: req.client, Token: token}, req.withApp()); err != nil {
			return err
		}
		answer.WriteData(w, revocation{Revoked: true})
		return nil
	})
}
