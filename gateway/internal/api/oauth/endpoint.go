package oauth

import (
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

// formParameters lists the parameters of the form endpoints. They must be sent in the body, because URLs are
// stored in logs and browser histories (behaviour: tokens#form-bodies).
var formParameters = []string{
	"grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "scope",
	"token", "token_type_hint", "client_id", "client_secret",
}

// request is a request to a form endpoint.
type request struct {
	client *authv1.ClientAuthentication
	body   parameters.Set
	// read holds the session records that were read while the request was charged.
	read read
	// trailer is the trailer of the auth service's response.
	trailer *metadata.MD
}

// withApp makes a call to the auth service report the authenticated app, for logCaller.
func (r request) withApp() grpc.CallOption { return grpc.Trailer(r.trailer) }

// logCaller records the authenticated app for the log, even if the auth service has rejected its
// request (behaviour: usage#logged-requests).
func (r request) logCaller(by *http.Request) {
	if acting := grpcx.ActingOf(*r.trailer); acting.AppID != "" {
		chain.ExchangeOf(by.Context()).Caller = chain.Caller{AccountID: acting.AccountID, AppID: acting.AppID}
	}
}

// form wraps the handler of a form endpoint. It reads the request and charges it to the tier of the client or
// IP address. It writes errors in the format of the route.
func form(clients *admission.Clients, handle handler) http.HandlerFunc {
	return formReading(func(r *http.Request, claimed admission.Client, _ parameters.Set) (read, func(), error) {
		end, err := clients.Admit(r, claimed)
		return read{}, end, err
	}, clients, handle)
}

type handler func(http.ResponseWriter, *http.Request, request) error

// admit charges a request before its client is authenticated. It may also read session records.
type admit func(r *http.Request, claimed admission.Client, body parameters.Set) (found read, end func(), err error)

// read holds session records and the question for which they were read.
type read struct {
	question introspection.Question
	found    limits.Found
}

// formReading is like form, but charges the request with admit.
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
			req.logCaller(r)
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

// unread reports whether the request was probably rejected before its client was authenticated, because most
// of these errors occur before the call to the auth service. A client with a valid secret whose first request
// to this replica is malformed is charged as well, but only against its own tier.
func unread(err error) bool {
	return errs.HasCode(err, answer.CodeOAuthRequest) || errs.HasCode(err, answer.CodeOAuthGrantType) ||
		errs.HasCode(err, answer.CodePayloadTooLarge)
}

// readBody reads a form. The form is empty if there is an error. An empty body needs no content type. readBody
// returns PAYLOAD_TOO_LARGE or OAUTH_INVALID_REQUEST.
func readBody(r *http.Request) (parameters.Set, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return parameters.Set{}, chain.BodyError(err, errs.New(errs.Invalid, answer.CodeOAuthRequest, "The request body could not be read."))
	}
	kind := r.Header.Get("Content-Type")
	if t, _, err := mime.ParseMediaType(kind); (err != nil || t != FormType) && (kind != "" || len(raw) > 0) {
		return parameters.Set{}, invalidRequest("The body must be " + FormType + ".")
	}
	return parameters.Read(string(raw), formParameters), nil
}

// claimedClient returns the client that the header or the body of a request names. It is only used to select
// the counters (behaviour: limits#client-tiers).
func claimedClient(header *authv1.ClientAuthentication, body parameters.Set) admission.Client {
	if header != nil {
		return admission.Client{ID: header.GetClientId(), Secret: header.ClientSecret}
	}
	return admission.Client{ID: body.Get("client_id"), Secret: body.Optional("client_secret")}
}

// check returns the request if its parameters are valid. Otherwise it returns OAUTH_INVALID_REQUEST or
// OAUTH_INVALID_CLIENT.
func check(r *http.Request, body parameters.Set, header *authv1.ClientAuthentication, badHeader error) (request, error) {
	query := parameters.Read(r.URL.RawQuery, formParameters)
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
	return request{client: client, body: body, trailer: &metadata.MD{}}, err
}

// noStore makes sure that caches do not store tokens (RFC 6749 §5.1).
func noStore(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
}

// need returns the value of a required parameter, or an error if it is missing.
func (r request) need(name string) (string, error) {
	if v := r.body.Get(name); v != "" {
		return v, nil
	}
	return "", invalidRequest("The parameter " + name + " is missing.")
}
