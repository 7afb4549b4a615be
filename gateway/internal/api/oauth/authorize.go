package oauth

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Authorizer serves GET /oauth/authorize. It redirects a valid request to the consent page with the same query,
// and an invalid request to the app. If the app or its redirect URI is invalid, it redirects browsers to a page
// that shows the error, and responds to other clients in the envelope
// (behaviour: sign-in#faults-without-redirect).
type Authorizer struct {
	// Auth checks the request. The consent page repeats the check.
	Auth authv1.OAuthServiceClient
	// Issuer is the base URL of the REST API (RFC 9207). AppURL is the URL of the pages.
	Issuer, AppURL string
}

func (a Authorizer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	noStore(w)
	location, err := a.next(r)
	if err != nil {
		if answer.FailureOf(err).Status == http.StatusUnauthorized {
			// With a Basic challenge, the browser would show its password dialog.
			w.Header().Set("WWW-Authenticate", "Bearer "+answer.Realm)
		}
		chain.Fail(w, r, err)
		return
	}
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusFound)
}

// next returns the URL to which to redirect, or an error from Check.
func (a Authorizer) next(r *http.Request) (string, error) {
	request := authorization.Read(r.URL.RawQuery)
	page := a.AppURL + "/oauth/authorize?" + location.Printable(r.URL.RawQuery)
	resp, err := request.Check(r.Context(), a.Auth)
	if err != nil {
		if authorization.AcceptsPage(r.Header) && (errs.HasCode(err, answer.CodeOAuthClient) || errs.HasCode(err, answer.CodeOAuthRequest)) {
			return page, nil // that page shows the error
		}
		return "", err
	}
	if fault := resp.GetFault(); fault != nil && !authorization.StaysHere(r, resp) { // otherwise the consent page shows the fault
		return request.Refuse(a.Issuer, fault), nil
	}
	return page, nil
}
