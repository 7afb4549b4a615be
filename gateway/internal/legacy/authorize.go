package legacy

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/pkg/errs"
)

// authorize sends the browser on to the consent page of this interface, with the
// query as it is. A fault goes back to the app, unless it is the app's identity
// that is at fault.
func (s *server) authorize(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	request := oauth.ReadLegacyAuthorization(r.URL.RawQuery)
	resp, err := request.Check(r.Context(), s.oauth)
	if err != nil {
		return unregistered(request, err)
	}
	location := s.AppURL + oauth.LegacyConsentPath + "?" + oauth.Printable(r.URL.RawQuery)
	if fault := resp.GetFault(); fault != nil {
		location = request.Refuse("", fault)
	}
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusFound)
	return nil
}

// unregistered tells a redirect URI that is none of the app's from one that is
// missing or malformed, for which auth has one code.
func unregistered(request oauth.AuthorizationRequest, err error) error {
	e, _ := errs.As(err)
	if errs.HasCode(err, answer.CodeOAuthRequest) && e.Field() == "redirect_uri" && request.Parameters().GetRedirectUri() != "" {
		return errs.New(errs.Invalid, codeRedirectURI, "The redirect_uri is not registered for this client.")
	}
	return err
}
