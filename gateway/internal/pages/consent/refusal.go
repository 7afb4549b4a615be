package consent

import (
	"html/template"
	"net/http"
	"slices"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/gateway/internal/pages/docs/guides"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type refusalView struct {
	// Cause is the message key for the cause of the error.
	Cause string
	// Parameter is the invalid parameter, or "" if unknown. Value is its value, if it has one. The value is
	// shown as text, never as a link.
	Parameter, Value string
	// Code is the error code that the REST API returns. Docs is the URL of the documentation for it.
	Code, Docs string
	// App is the name of the app, and Fault says what is wrong with its request. Back is the link with which
	// the person can send the error to the app. They are empty if the app or the redirect URI is invalid.
	// Host is the host of the link, or "" if the app is on the person's device.
	App, Host string
	Fault     *authv1.AuthorizationFault
	Back      template.URL
}

// mostShown is the maximum length of a value that is shown, in bytes.
const mostShown = 300

// refuse shows developers why their request was rejected, and assures other people that it is not their fault
// (behaviour: sign-in#fault-page). It returns other errors unchanged.
func (p Pages) refuse(w http.ResponseWriter, r *http.Request, request authorization.Request, err error) error {
	v, ok := refusalOf(request, err)
	if !ok {
		return err
	}
	title, err := p.Language(r).Text("error.authorization.title")
	if err != nil {
		return err
	}
	// The status is not 401, because authenticating would not help.
	return p.Render(w, r, http.StatusBadRequest, "refusal", web.View{Title: title, Data: v})
}

// explain shows an error that is sent to the app only if the person follows the link.
func (p Pages) explain(w http.ResponseWriter, r *http.Request, request authorization.Request, checked *authv1.CheckAuthorizationResponse) error {
	title, err := p.Language(r).Text("error.authorization.title")
	if err != nil {
		return err
	}
	return p.Render(w, r, http.StatusBadRequest, "refusal", web.View{Title: title, Data: refusalView{
		App: checked.GetApp().GetName(), Host: hostOf(request.Parameters().GetRedirectUri()), Fault: checked.GetFault(),
		// The auth service has found the URI among the app's redirect URIs, so it uses https or an app's own
		// scheme.
		Back: template.URL(request.Refuse(p.Issuer, checked.GetFault())), //nolint:gosec // see above
		Code: checked.GetFault().GetError(),
	}})
}

func refusalOf(request authorization.Request, err error) (refusalView, bool) {
	sent := request.Parameters()
	v := refusalView{Cause: "refusal.parameters"}
	e, _ := errs.As(err)
	switch {
	case errs.HasCode(err, answer.CodeOAuthClient):
		v = refusalView{Cause: "refusal.client", Parameter: "client_id", Value: sent.GetClientId(), Code: answer.CodeOAuthClient}
	case !errs.HasCode(err, answer.CodeOAuthRequest):
		return refusalView{}, false
	case sent.GetClientId() == "" || slices.Contains(sent.GetDuplicated(), "client_id"):
		v.Parameter = "client_id"
	case sent.GetRedirectUri() == "" || slices.Contains(sent.GetDuplicated(), "redirect_uri"):
		v.Parameter = "redirect_uri"
	case e.Field() == "redirect_uri":
		v = refusalView{Cause: "refusal.redirect", Parameter: "redirect_uri", Value: sent.GetRedirectUri()}
	}
	if v.Code == "" {
		v.Code = answer.CodeOAuthRequest
	}
	v.Docs = guides.Prefix + docs.ErrorFolder + "/" + v.Code
	// Only characters that are valid in a URL are shown, so a stranger's text cannot look like part of the
	// page.
	if v.Value = location.Printable(v.Value); len(v.Value) > mostShown {
		v.Value = v.Value[:mostShown] + "…"
	}
	return v, true
}
