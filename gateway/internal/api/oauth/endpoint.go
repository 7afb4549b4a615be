package oauth

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/introspection"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/parameters"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
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
	body   parameters.Set
	// read is what was read when the request was spent.
	read read
	// told is the trailer of auth's answer.
	told *metadata.MD
}

// learn has the call of auth tell which app has authenticated.
func (r request) learn() grpc.CallOption { return grpc.Trailer(r.told) }

// known gives the request line the app that has authenticated, also if auth has refused
// what it asked for (behaviour: usage#logged-requests).
func (r request) known(by *http.Request) {
	if acting := grpcx.ActingOf(*r.told); acting.AppID != "" {
		chain.ExchangeOf(by.Context()).Caller = chain.Caller{AccountID: acting.AccountID, AppID: acting.AppID}
	}
}

// form wraps the handler of a form endpoint. It reads the request, spends it of the
// tier of the client or address, calls the handler, and answers an error in the
// shape of the route.
func form(clients *admission.Clients, handle handler) http.HandlerFunc {
	return formReading(func(r *http.Request, claimed admission.Client, _ parameters.Set) (read, func(), error) {
		end, err := clients.Admit(r, claimed)
		return read{}, end, err
	}, clients, handle)
}

// handler answers a request of a form endpoint.
type handler func(http.ResponseWriter, *http.Request, request) error

// admit spends a request of a claimed client before it is checked, and may read session
// records with it.
type admit func(r *http.Request, claimed admission.Client, body parameters.Set) (found read, end func(), err error)

// read are session records, and the question that they were read for.
type read struct {
	question introspection.Question
	found    limits.Found
}

// formReading is form with another way of spending the request.
func formReading(admit admit, clients *admission.Clients, handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		noStore(w)
		body, err := readBody(r)
		header, badHeader := headerClient(r)
		claimed := claimedClient(header, body)
		found, end, over := admit(r, claimed, body)
		defer end()
		if over != nil {
			admission.Refuse(w, r, over)
			return
		}
		var req request
		if err == nil {
			req, err = check(r, body, header, badHeader)
			req.read = found
		}
		if err == nil {
			err = handle(w, r, req)
			req.known(r)
		}
		if err == nil {
			clients.Proven(r, claimed)
			return
		}
		switch {
		case errs.HasCode(err, answer.CodeOAuthClient):
			clients.Failed(r, claimed)
		case unread(err):
			clients.Unread(r, claimed)
		}
		chain.Fail(w, r, err)
	}
}

// unread reports a refusal that tells nothing of the client: most of them are given
// before auth is asked. A client whose secret was right and whose first request at this
// replica is malformed counts too, which costs it no more than its own tier does.
func unread(err error) bool {
	return errs.HasCode(err, answer.CodeOAuthRequest) || errs.HasCode(err, answer.CodeOAuthGrantType) ||
		errs.HasCode(err, answer.CodePayloadTooLarge)
}

// readBody reads a form. If it cannot be read, the parameters are empty. A request
// without a body needs no content type: it is a form without fields. Errors:
// PAYLOAD_TOO_LARGE, OAUTH_INVALID_REQUEST.
func readBody(r *http.Request) (parameters.Set, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return parameters.Set{}, bodyError(err)
	}
	kind := r.Header.Get("Content-Type")
	if t, _, err := mime.ParseMediaType(kind); (err != nil || t != FormType) && (kind != "" || len(raw) > 0) {
		return parameters.Set{}, invalidRequest("The body must be " + FormType + ".")
	}
	return parameters.Read(string(raw), known), nil
}

// claimedClient is the client that a request claims to be, by HTTP Basic or in the
// body. It need not exist; it only selects the counters (behaviour: limits#client-tiers).
func claimedClient(header *authv1.ClientAuthentication, body parameters.Set) admission.Client {
	if header != nil {
		return admission.Client{ID: header.GetClientId(), Secret: header.ClientSecret}
	}
	return admission.Client{ID: body.Get("client_id"), Secret: body.Optional("client_secret")}
}

// check checks the parameters and returns the client's credentials. Errors:
// OAUTH_INVALID_REQUEST, OAUTH_INVALID_CLIENT.
func check(r *http.Request, body parameters.Set, header *authv1.ClientAuthentication, badHeader error) (request, error) {
	query := parameters.Read(r.URL.RawQuery, known)
	if !query.Empty() || query.Fault() != "" {
		return request{}, invalidRequest("Parameters belong into the body, not into the query.")
	}
	if fault := body.Fault(); fault != "" {
		return request{}, invalidRequest(fault)
	}
	if badHeader != nil {
		return request{}, badHeader
	}
	client, err := clientOf(header, body)
	return request{client: client, body: body, told: &metadata.MD{}}, err
}

// noStore keeps tokens out of caches (RFC 6749 §5.1).
func noStore(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
}

// need returns the value of a required parameter.
func (r request) need(name string) (string, error) {
	if v := r.body.Get(name); v != "" {
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
	if refused, ok := errs.As(err); ok {
		return refused
	}
	return errs.New(errs.Invalid, answer.CodeOAuthRequest, "The request body could not be read.").WithCause(err)
}
