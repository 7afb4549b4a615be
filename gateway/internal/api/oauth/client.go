package oauth

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/parameters"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// clientOf reads the client's credentials (RFC 6749 §2.3): either HTTP Basic, or
// client_id and client_secret in the body, never both
// (behaviour: tokens#client-authentication). The same client_id in the body beside
// Basic is allowed (RFC 6749 §3.2.1).
func clientOf(r *http.Request, body parameters.Set) (*authv1.ClientAuthentication, error) {
	fields := r.Header.Values("Authorization")
	if len(fields) > 1 {
		return nil, invalidRequest("The request carries more than one Authorization header.")
	}
	if len(fields) == 1 {
		client, err := basicClient(fields[0])
		if err != nil {
			return nil, err
		}
		if body.Optional("client_secret") != nil {
			return nil, invalidRequest("The client authenticates in the header and in the body at once.")
		}
		if named := body.Optional("client_id"); named != nil && *named != client.GetClientId() {
			return nil, invalidRequest("The client_id of the body is not the one of the header.")
		}
		return client, nil
	}
	id := body.Get("client_id")
	if id == "" {
		return nil, invalidClient("The request names no client.")
	}
	return &authv1.ClientAuthentication{ClientId: id, ClientSecret: body.Optional("client_secret")}, nil
}

// basicClient reads an Authorization field (RFC 7617). Both parts are form-encoded
// inside it (RFC 6749 §2.3.1).
func basicClient(field string) (*authv1.ClientAuthentication, error) {
	scheme, encoded, _ := strings.Cut(field, " ")
	if !strings.EqualFold(scheme, "Basic") {
		return nil, invalidClient("The client authenticates with HTTP Basic or in the body.")
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(strings.Trim(encoded, " "))
	if err != nil {
		return nil, errBasic
	}
	rawID, rawSecret, found := strings.Cut(string(raw), ":")
	id, idErr := url.QueryUnescape(rawID)
	secret, secretErr := url.QueryUnescape(rawSecret)
	switch {
	case !found, idErr != nil, secretErr != nil, id == "":
		return nil, errBasic
	case !fault.IsStorable(id), !fault.IsStorable(secret), len(id) > parameters.MaxValue, len(secret) > parameters.MaxValue:
		return nil, errBasic
	}
	client := &authv1.ClientAuthentication{ClientId: id}
	if secret != "" {
		client.ClientSecret = &secret
	}
	return client, nil
}

var errBasic = invalidClient("The HTTP Basic credentials are malformed.")

func invalidClient(message string) error {
	return errs.New(errs.Unauthenticated, answer.CodeOAuthClient, "%s", message)
}

func invalidRequest(message string) error {
	return errs.New(errs.Invalid, answer.CodeOAuthRequest, "%s", message)
}
