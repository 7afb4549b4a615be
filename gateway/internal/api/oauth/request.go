package oauth

import (
	"context"
	"net/url"
	"strings"

	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// LegacyConsentPath is the consent page of the older interface. It is not that of
// the newer one, so that no request of one can be passed off as the other's.
const LegacyConsentPath = "/oauth/legacy/authorize"

// AuthorizationChecker is the part of auth that judges authorization requests.
type AuthorizationChecker interface {
	CheckAuthorization(context.Context, *authv1.CheckAuthorizationRequest, ...grpc.CallOption) (*authv1.CheckAuthorizationResponse, error)
}

// AuthorizationRequest is an authorization request as the browser brought it
// (RFC 6749 §4.1.1, RFC 7636 §4.3). The edge and the consent page read it alike.
type AuthorizationRequest struct {
	p parameters
	// legacy says that it is one of the older interface.
	legacy bool
}

// authorizationParameters are those of RFC 6749 §4.1.1 and RFC 7636 §4.3.
var authorizationParameters = []string{
	"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
}

// ReadAuthorization reads the query of an authorization request.
func ReadAuthorization(rawQuery string) AuthorizationRequest {
	return AuthorizationRequest{p: parseParameters(rawQuery, authorizationParameters)}
}

// legacyParameters are those of an authorization request at the older interface.
var legacyParameters = []string{"response_type", "client_id", "redirect_uri", "scope", "state"}

// ReadLegacyAuthorization reads the query of an authorization request at the older
// interface (spec: Older profile-sharing interface), which knows no PKCE.
func ReadLegacyAuthorization(rawQuery string) AuthorizationRequest {
	return AuthorizationRequest{p: parseParameters(rawQuery, legacyParameters), legacy: true}
}

// Legacy reports whether the request is one of the older interface.
func (r AuthorizationRequest) Legacy() bool { return r.legacy }

// Parameters are what auth is told of the request.
func (r AuthorizationRequest) Parameters() *authv1.AuthorizationParameters {
	return &authv1.AuthorizationParameters{
		ResponseType:        r.p.get("response_type"),
		ClientId:            r.p.get("client_id"),
		RedirectUri:         r.p.get("redirect_uri"),
		Scope:               r.p.get("scope"),
		CodeChallenge:       r.p.get("code_challenge"),
		CodeChallengeMethod: r.p.get("code_challenge_method"),
		Duplicated:          r.p.repeated,
		State:               r.p.get("state"),
		Legacy:              r.legacy,
	}
}

// Check has auth judge the request. A fault in the answer, auth's or one of the
// form of the parameters, goes back to the app. Errors, which must not:
// OAUTH_INVALID_CLIENT and OAUTH_INVALID_REQUEST for an app or redirect URI that
// cannot be trusted with an answer; DEVELOPER_ACCOUNT_SUSPENDED.
func (r AuthorizationRequest) Check(ctx context.Context, auth AuthorizationChecker) (*authv1.CheckAuthorizationResponse, error) {
	if r.p.garbled || !r.p.sound("client_id") || !r.p.sound("redirect_uri") {
		return nil, invalidRequest(r.p.fault())
	}
	resp, err := auth.CheckAuthorization(ctx, &authv1.CheckAuthorizationRequest{Parameters: r.Parameters()})
	if err != nil {
		return nil, err
	}
	if fault := r.p.fault(); fault != "" {
		resp.Fault = &authv1.AuthorizationFault{Error: "invalid_request", Description: fault}
	}
	return resp, nil
}

// Grant is where the browser goes with an authorization code (RFC 6749 §4.1.2).
func (r AuthorizationRequest) Grant(issuer, code string) string {
	return r.back(issuer, url.Values{"code": {code}})
}

// Refuse is where the browser goes with a fault (RFC 6749 §4.1.2.1).
func (r AuthorizationRequest) Refuse(issuer string, fault *authv1.AuthorizationFault) string {
	answer := url.Values{"error": {fault.GetError()}}
	if !r.legacy {
		answer.Set("error_description", describe(fault.GetDescription()))
	}
	return r.back(issuer, answer)
}

// back is the redirect URI, which auth has found registered, with an answer, the
// state, and the issuer (RFC 9207). A query that it has is kept. Spaces become
// %20, which every reader of a query understands; "+" is for forms alone. At the
// older interface there is nothing beside code or error and state: its clients may
// not expect more.
func (r AuthorizationRequest) back(issuer string, answer url.Values) string {
	if !r.legacy {
		answer.Set("iss", issuer)
	}
	if state := r.p.optional("state"); state != nil && r.p.sound("state") {
		answer.Set("state", *state)
	}
	uri, separator := r.p.get("redirect_uri"), "?"
	if strings.Contains(uri, "?") {
		separator = "&"
	}
	return Printable(uri) + separator + strings.ReplaceAll(answer.Encode(), "+", "%20")
}

// Printable percent-encodes what a header field may not hold and a client has sent
// unencoded; to whoever reads it from a request the result is the same. In a request
// "#" is part of the query, but in a Location it would end it (RFC 3986 §3.5).
func Printable(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c > 0x20 && c < 0x7f && c != '#' {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&0xf]})
		}
	}
	return b.String()
}
