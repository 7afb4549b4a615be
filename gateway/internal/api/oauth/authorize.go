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

// Authorizer serves GET /oauth/authorize. It redirects a valid request to the consent page
// with the same query, and a fault to the app. If the app or its redirect URI is invalid, it
// redirects a browser to the page that shows the fault, and answers a program with the
// envelope (behaviour: sign-in#faults-without-redirect).
type Authorizer struct {
	// Auth checks the request. The consent page has it checked again.
	Auth authv1.OAuthServiceClient
	// Issuer is the base URL of the REST API (RFC 9207), AppURL that of the pages.
	Issuer, AppURL string
}

func (a Authorizer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	noStore(w)
	location, err := a.next(r)
	if err != nil {
		if answer.FailureOf(err).Status == http.StatusUnauthorized {
			// Basic would make the browser show its password dialog.
			w.Header().Set("WWW-Authenticate", "Bearer "+answer.Realm)
		}
		chain.Fail(w, r, err)
		return
	}
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusFound)
}

// next returns the URL to redirect to. Errors: those of Check.
func (a Authorizer) next(r *http.Request) (string, error) {
	request := authorization.Read(r.URL.RawQuery)
	page := a.AppURL + "/oauth/authorize?" + location.Printable(r.URL.RawQuery)
	resp, err := request.Check(r.Context(), a.Auth)
	if err != nil {
		if authorization.AcceptsPage(r.Header) && (errs.HasCode(err, answer.CodeOAuthClient) || errs.HasCode(err, answer.CodeOAuthRequest)) {
			return page, nil // it shows the fault
		}
		return "", err
	}
	if fault := resp.GetFault(); fault != nil && !authorization.StaysHere(r, resp) { // the consent page shows it
		return request.Refuse(a.Issuer, fault), nil
	}
	return page, nil
}
