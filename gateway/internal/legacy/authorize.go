package legacy

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/pkg/errs"
)

// authorize redirects to the consent page of the legacy interface with the same query. It redirects a fault to
// the app, unless the app or its redirect URI is invalid (behaviour: legacy#authorize-faults).
func (s *server) authorize(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	request := authorization.ReadLegacy(r.URL.RawQuery)
	resp, err := request.Check(r.Context(), s.oauth)
	if err != nil {
		return unregistered(request, err)
	}
	to := s.AppURL + authorization.LegacyConsentPath + "?" + location.Printable(r.URL.RawQuery)
	if fault := resp.GetFault(); fault != nil && !authorization.StaysHere(r, resp) { // otherwise the consent page shows the fault
		to = request.Refuse("", fault)
	}
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusFound)
	return nil
}

// unregistered returns a separate error for an unregistered redirect URI. The auth service returns the
// same code for a missing or malformed URI.
func unregistered(request authorization.Request, err error) error {
	e, _ := errs.As(err)
	if errs.HasCode(err, answer.CodeOAuthRequest) && e.Field() == "redirect_uri" && request.Parameters().GetRedirectUri() != "" {
		return errs.New(errs.Invalid, codeRedirectURI, "The redirect_uri is not registered for this client.")
	}
	return err
}
