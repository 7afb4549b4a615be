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

// clientOf returns the client's credentials (RFC 6749 §2.3). They are in the header, or in the body as
// client_id and client_secret, but not in both (behaviour: tokens#client-authentication). The body may repeat
// the client_id from the header (RFC 6749 §3.2.1). header may be nil.
func clientOf(header *authv1.ClientAuthentication, body parameters.Set) (*authv1.ClientAuthentication, error) {
	if header != nil {
		if body.Optional("client_secret") != nil {
			return nil, invalidRequest("The client authenticates in the header and in the body at once.")
		}
		if named := body.Optional("client_id"); named != nil && *named != header.GetClientId() {
			return nil, invalidRequest("The client_id of the body is not the one of the header.")
		}
		return header, nil
	}
	id := body.Get("client_id")
	if id == "" {
		return nil, invalidClient("The request names no client.")
	}
	return &authv1.ClientAuthentication{ClientId: id, ClientSecret: body.Optional("client_secret")}, nil
}

// headerClient returns the client in the Authorization header, or nil if there is no such header.
func headerClient(r *http.Request) (*authv1.ClientAuthentication, error) {
	switch fields := r.Header.Values("Authorization"); len(fields) {
	case 0:
		return nil, nil
	case 1:
		return basicClient(fields[0])
	default:
		return nil, invalidRequest("The request carries more than one Authorization header.")
	}
}

// basicClient parses an Authorization field (RFC 7617). Both the id and the secret are form-encoded (RFC 6749
// §2.3.1).
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
