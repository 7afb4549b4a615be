package oauth

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
)

// Authorizer serves GET /oauth/authorize: a request that can be answered goes on
// to the consent page, with its query as it is; a fault goes back to the app,
// unless it is the app's identity that is at fault (decision 9).
type Authorizer struct {
	// Auth checks the request; the consent page has it checked again.
	Auth AuthorizationChecker
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
		if answer.FailureOf(err).Status == http.StatusUnauthorized {
			// A browser is here: the Basic challenge would open its password dialog.
			w.Header().Set("WWW-Authenticate", "Bearer "+answer.Realm)
		}
		chain.Fail(w, r, err)
		return
	}
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusFound)
}

// next says where the browser goes from here. Errors: as Check.
func (a Authorizer) next(r *http.Request) (string, error) {
	request := ReadAuthorization(r.URL.RawQuery)
	resp, err := request.Check(r.Context(), a.Auth)
	if err != nil {
		return "", err
	}
	if fault := resp.GetFault(); fault != nil {
		return request.Refuse(a.Issuer, fault), nil
	}
	return a.AppURL + "/oauth/authorize?" + Printable(r.URL.RawQuery), nil
}
