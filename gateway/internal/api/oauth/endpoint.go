package oauth

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// FormType is the media type of a form.
const FormType = "application/x-www-form-urlencoded"

// known are the parameters of the form endpoints. They must be in the body: URLs end
// up in logs and browser histories (behaviour: tokens#form-bodies).
var known = []string{
	"grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "scope",
	"token", "token_type_hint", "client_id", "client_secret",
}

// request is a request of a form endpoint.
type request struct {
	client *authv1.ClientAuthentication
	body   parameters
}

// form wraps the handler of a form endpoint. It reads the request, spends it of the
// tier of the client or address, calls the handler, and answers an error in the
// shape of the route.
func form(limit admission.Surface, handle func(http.ResponseWriter, *http.Request, request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		noStore(w)
		body, err := readBody(r)
		if over := limit.ByClient(r, clientID(r, body)); over != nil {
			chain.Fail(w, r, over)
			return
		}
		var req request
		if err == nil {
			req, err = check(r, body)
		}
		if err == nil {
			err = handle(w, r, req)
		}
		if err != nil {
			chain.Fail(w, r, err)
		}
	}
}

// readBody reads a form. If it cannot be read, the parameters are empty. Errors:
// UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, OAUTH_INVALID_REQUEST.
func readBody(r *http.Request) (parameters, error) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != FormType {
		return parameters{}, errs.New(errs.Invalid, answer.CodeUnsupportedType, "The body must be %s.", FormType)
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return parameters{}, bodyError(err)
	}
	return parseParameters(string(raw), known), nil
}

// clientID is the client id that a request claims, by HTTP Basic or in the body, ""
// if it claims none. It need not exist; it only selects the counter of the tier
// (behaviour: limits#a-public-client-id-can-be-spent).
func clientID(r *http.Request, body parameters) string {
	if fields := r.Header.Values("Authorization"); len(fields) == 1 {
		if client, err := basicClient(fields[0]); err == nil {
			return client.GetClientId()
		}
	}
	return body.get("client_id")
}

// check checks the parameters and reads the client's credentials. Errors:
// OAUTH_INVALID_REQUEST, OAUTH_INVALID_CLIENT.
func check(r *http.Request, body parameters) (request, error) {
	query := parseParameters(r.URL.RawQuery, known)
	if len(query.values) > 0 || query.fault() != "" {
		return request{}, invalidRequest("Parameters belong into the body, not into the query.")
	}
	if fault := body.fault(); fault != "" {
		return request{}, invalidRequest(fault)
	}
	client, err := clientOf(r, body)
	return request{client: client, body: body}, err
}

// noStore keeps tokens out of caches (RFC 6749 §5.1).
func noStore(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
}

// need returns the value of a required parameter.
func (r request) need(name string) (string, error) {
	if v := r.body.get(name); v != "" {
		return v, nil
	}
	return "", invalidRequest("The parameter " + name + " is missing.")
}

// bodyError turns an error from reading the body into the error for the client.
func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return answer.PayloadTooLarge()
	}
	return errs.New(errs.Invalid, answer.CodeOAuthRequest, "The request body could not be read.").WithCause(err)
}
