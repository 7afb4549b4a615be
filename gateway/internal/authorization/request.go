package authorization

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/gateway/internal/parameters"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// LegacyConsentPath is the path of the consent page for the legacy interface. A separate path makes sure that a
// request for one interface cannot be used on the other.
const LegacyConsentPath = "/oauth/legacy/authorize"

// Request is an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3).
type Request struct {
	p parameters.Set
	// full is true if the app requests the full consent page (prompt=consent).
	full bool
	// legacy is true for a request to the legacy interface.
	legacy bool
}

var known = []string{
	"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
}

// Read parses the query of an authorization request.
func Read(rawQuery string) Request {
	return Request{p: parameters.Read(rawQuery, known), full: promptsConsent(rawQuery)}
}

// InvitedField is the parameter that the console adds to its own requests if the person has opened an
// invitation. The sign-in page then explains the invitation (behaviour: console#invitations).
const InvitedField = "invited"

// FullPage adds prompt=consent to a query.
func FullPage(rawQuery string) string { return rawQuery + "&prompt=consent" }

// promptsConsent reports whether "consent" is one of the values of prompt, which is a list separated by spaces
// (OpenID Connect Core 1.0 §3.1.2.1). Unlike other parameters, prompt may occur twice, because FullPage adds
// one.
func promptsConsent(rawQuery string) bool {
	for pair := range strings.SplitSeq(rawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name != "prompt" {
			continue
		}
		if prompts, err := url.QueryUnescape(value); err == nil && slices.Contains(strings.Fields(prompts), "consent") {
			return true
		}
	}
	return false
}

var legacyParameters = []string{"response_type", "client_id", "redirect_uri", "scope", "state"}

// ReadLegacy parses the query of an authorization request to the legacy interface, which has no PKCE
// (behaviour: legacy#authorize-faults).
func ReadLegacy(rawQuery string) Request {
	return Request{p: parameters.Read(rawQuery, legacyParameters), legacy: true, full: promptsConsent(rawQuery)}
}

// Legacy reports whether the request was sent to the legacy interface.
func (r Request) Legacy() bool { return r.legacy }

// WantsFullPage reports whether to show the full consent page even if the app requests nothing new
// (behaviour: sign-in#coming-back).
func (r Request) WantsFullPage() bool { return r.full }

// Parameters returns the request as a message for the auth service.
func (r Request) Parameters() *authv1.AuthorizationParameters {
	return &authv1.AuthorizationParameters{
		ResponseType:        r.p.Get("response_type"),
		ClientId:            r.p.Get("client_id"),
		RedirectUri:         r.p.Get("redirect_uri"),
		Scope:               r.p.Get("scope"),
		CodeChallenge:       r.p.Get("code_challenge"),
		CodeChallengeMethod: r.p.Get("code_challenge_method"),
		Duplicated:          r.p.Repeated(),
		State:               r.p.Get("state"),
		Legacy:              r.legacy,
	}
}

// Check calls the auth service to check the request. A fault in the response is meant for the app, and is
// sent in a redirect. Errors must not be sent in a redirect (behaviour: sign-in#faults-without-redirect).
// Check returns OAUTH_INVALID_CLIENT or OAUTH_INVALID_REQUEST for an unknown app or redirect URI, and
// DEVELOPER_ACCOUNT_SUSPENDED for a suspended account.
func (r Request) Check(ctx context.Context, auth authv1.OAuthServiceClient) (*authv1.CheckAuthorizationResponse, error) {
	if r.p.Garbled() || !r.p.Sound("client_id") || !r.p.Sound("redirect_uri") {
		return nil, errs.New(errs.Invalid, answer.CodeOAuthRequest, "%s", r.p.Fault())
	}
	resp, err := auth.CheckAuthorization(ctx, &authv1.CheckAuthorizationRequest{Parameters: r.Parameters()})
	if err != nil {
		return nil, err
	}
	if fault := r.p.Fault(); fault != "" {
		resp.Fault = &authv1.AuthorizationFault{Error: "invalid_request", Description: fault}
	}
	return resp, nil
}

// Grant returns the redirect to the app with an authorization code (RFC 6749 §4.1.2).
func (r Request) Grant(issuer, code string) string {
	return r.back(issuer, url.Values{"code": {code}})
}

// Refuse returns the redirect to the app with a fault (RFC 6749 §4.1.2.1).
func (r Request) Refuse(issuer string, fault *authv1.AuthorizationFault) string {
	answer := url.Values{"error": {fault.GetError()}}
	if !r.legacy {
		answer.Set("error_description", Describe(fault.GetDescription()))
	}
	return r.back(issuer, answer)
}

// back returns the redirect URI with the parameters in answer, the state and the issuer (RFC 9207) added to
// its query. The auth service has checked that the URI is registered. Spaces become %20, because not every
// query parser understands "+". The legacy interface omits the issuer, because its clients may not expect
// more parameters (behaviour: legacy#redirects).
func (r Request) back(issuer string, answer url.Values) string {
	if !r.legacy {
		answer.Set("iss", issuer)
	}
	if state := r.p.Optional("state"); state != nil && r.p.Sound("state") {
		answer.Set("state", *state)
	}
	uri, separator := r.p.Get("redirect_uri"), "?"
	if strings.Contains(uri, "?") {
		separator = "&"
	}
	return location.Printable(uri) + separator + strings.ReplaceAll(answer.Encode(), "+", "%20")
}

// Describe removes characters that error_description must not contain (RFC 6749 §5.2).
func Describe(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '"' || r == '\\':
			return '\''
		case r < 0x20 || r > 0x7e:
			return -1
		}
		return r
	}, s)
}
