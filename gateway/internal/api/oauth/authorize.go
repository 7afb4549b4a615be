package oauth

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/pkg/errs"
)

// Authorizer serves GET /oauth/authorize. A valid request goes on to the consent
// page, with the same query. A fault goes back to the app, unless the app or its
// redirect URI is at fault: then a browser is sent to the page that names the fault, and a
// program gets the envelope (behaviour: sign-in#faults-without-redirect).
type Authorizer struct {
	// Auth checks the request. The consent page has it checked again.
	Auth authorization.Checker
	// Issuer is the base URL of the REST API (RFC 9207).
	Issuer string
	// AppURL is the base URL of the pages, which serve the consent page.
	AppURL string
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

// next returns the URL that the browser goes to. Errors: those of Check.
func (a Authorizer) next(r *http.Request) (string, error) {
	request := authorization.Read(r.URL.RawQuery)
	page := a.AppURL + "/oauth/authorize?" + location.Printable(r.URL.RawQuery)
	resp, err := request.Check(r.Context(), a.Auth)
	if err != nil {
		if authorization.AcceptsPage(r.Header) && (errs.HasCode(err, answer.CodeOAuthClient) || errs.HasCode(err, answer.CodeOAuthRequest)) {
			return page, nil // it names the fault
		}
		return "", err
	}
	if fault := resp.GetFault(); fault != nil && !authorization.StaysHere(r, resp) { // the consent page shows it
		return request.Refuse(a.Issuer, fault), nil
	}
	return page, nil
}
