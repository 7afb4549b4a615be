package oauth

import (
	"net/http"
	"net/url"
	"strings"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"

	"vitae.internal/gateway/internal/middleware"
	"vitae.internal/gateway/internal/rest"
)

// authorizationParameters are those of RFC 6749 §4.1.1 and RFC 7636 §4.3.
var authorizationParameters = []string{
	"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
}

// Authorizer serves GET /oauth/authorize: a request that can be answered goes on
// to the consent page, with its query as it is; a fault goes back to the app,
// unless it is the app's identity that is at fault (decision 9).
type Authorizer struct {
	// Auth checks the request; the consent page has it checked again.
	Auth authv1.OAuthServiceClient
	// Issuer is the edge's base URL (RFC 9207).
	Issuer string
	// AppURL is where the consent page is.
	AppURL string
}

// ServeHTTP implements http.Handler.
func (a Authorizer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	noStore(w)
	location, err := a.next(r)
	if err != nil {
		if rest.FailureOf(err).Status == http.StatusUnauthorized {
			// A browser is here: the Basic challenge would open its password dialog.
			w.Header().Set("WWW-Authenticate", "Bearer "+rest.Realm)
		}
		middleware.Fail(w, r, err)
		return
	}
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusFound)
}

// next says where the browser goes from here. Errors: OAUTH_INVALID_CLIENT and
// OAUTH_INVALID_REQUEST for an app or redirect URI that cannot be trusted with
// an answer; DEVELOPER_ACCOUNT_SUSPENDED.
func (a Authorizer) next(r *http.Request) (string, error) {
	p := parseParameters(r.URL.RawQuery, authorizationParameters)
	if p.garbled || !p.sound("client_id") || !p.sound("redirect_uri") {
		return "", invalidRequest(p.fault())
	}
	resp, err := a.Auth.CheckAuthorization(r.Context(), &authv1.CheckAuthorizationRequest{Parameters: &authv1.AuthorizationParameters{
		ResponseType:        p.get("response_type"),
		ClientId:            p.get("client_id"),
		RedirectUri:         p.get("redirect_uri"),
		Scope:               p.get("scope"),
		CodeChallenge:       p.get("code_challenge"),
		CodeChallengeMethod: p.get("code_challenge_method"),
		Duplicated:          p.repeated,
		State:               p.get("state"),
	}})
	if err != nil {
		return "", err
	}
	if fault := p.fault(); fault != "" {
		return a.backToApp(p, "invalid_request", fault), nil
	}
	if fault := resp.GetFault(); fault != nil {
		return a.backToApp(p, fault.GetError(), fault.GetDescription()), nil
	}
	return a.AppURL + "/oauth/authorize?" + ascii(r.URL.RawQuery), nil
}

// backToApp is the redirect URI, which auth has found registered, with a fault
// (RFC 6749 §4.1.2.1). A query that it has is kept.
func (a Authorizer) backToApp(p parameters, code, description string) string {
	answer := url.Values{"error": {code}, "error_description": {describe(description)}, "iss": {a.Issuer}}
	if state := p.optional("state"); state != nil && p.sound("state") {
		answer.Set("state", *state)
	}
	uri, separator := p.get("redirect_uri"), "?"
	if strings.Contains(uri, "?") {
		separator = "&"
	}
	return ascii(uri) + separator + answer.Encode()
}

// ascii percent-encodes what a header field may not hold and a client has sent
// unencoded; to a URL parser the result is the same.
func ascii(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c > 0x20 && c < 0x7f {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&0xf]})
		}
	}
	return b.String()
}
