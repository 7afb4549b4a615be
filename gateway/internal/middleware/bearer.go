package middleware

import (
	"net/http"
	"strings"

	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"

	"vitae.internal/gateway/internal/rest"
)

// bearer gives the token of the Authorization field, the one place where it may
// be (RFC 6750 §2.1). Errors: UNAUTHENTICATED OAUTH_INVALID_TOKEN.
func bearer(h http.Header) (string, error) {
	fields := h.Values("Authorization")
	if len(fields) == 0 {
		return "", errNoToken
	}
	if len(fields) > 1 {
		return "", errs.New(errs.Unauthenticated, rest.CodeOAuthToken, "The request carries more than one Authorization header.")
	}
	scheme, token, _ := strings.Cut(fields[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", errNoToken
	}
	token = strings.Trim(token, " ")
	if token == "" {
		return "", errNoToken
	}
	return token, nil
}

var errNoToken = errs.New(errs.Unauthenticated, rest.CodeOAuthToken, "The request carries no access token.").WithCause(rest.ErrNoCredential)

// userToken reads the credential of a route for users. An API key there is no
// access token, as is a token whose checksum is wrong: no look-up for either.
func userToken(r *http.Request) (Presented, error) {
	token, err := bearer(r.Header)
	if err != nil {
		return Presented{}, err
	}
	if !credential.WellFormed(credential.AccessToken, token) {
		return Presented{}, errDeadToken
	}
	return Presented{Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, Hash: credential.Hash(token)}, nil
}

var errDeadToken = errs.New(errs.Unauthenticated, rest.CodeOAuthToken, "The access token is unknown, expired or revoked.")
