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
	// Cause is the key of the message about it.
	Cause string
	// Parameter is the parameter at fault, "" if unknown. Value is its
	// value if it has one: a text, never a link.
	Parameter, Value string
	// Code is the code that the REST API answers with, Docs its page.
	Code, Docs string
	// App is the name of the app, Fault what is wrong with its request, and Back the address to
	// which that is sent when the person follows the link; empty where the app or its address is
	// at fault. Host is where the link leads, "" for an app on the device.
	App, Host string
	Fault     *authv1.AuthorizationFault
	Back      template.URL
}

// mostShown is how much of a value is shown, in bytes.
const mostShown = 300

// refuse shows a developer why their request is not taken, and people that it is not their
// fault (behaviour: sign-in#fault-page). Other errors stay errors.
func (p Pages) refuse(w http.ResponseWriter, r *http.Request, request authorization.Request, err error) error {
	v, ok := refusalOf(request, err)
	if !ok {
		return err
	}
	title, err := p.Language(r).Text("error.authorization.title")
	if err != nil {
		return err
	}
	// Not 401: there is nothing with which the person could authenticate.
	return p.Render(w, r, http.StatusBadRequest, "refusal", web.View{Title: title, Data: v})
}

// explain shows a fault that is not sent to the app before the person follows the link.
func (p Pages) explain(w http.ResponseWriter, r *http.Request, request authorization.Request, checked *authv1.CheckAuthorizationResponse) error {
	title, err := p.Language(r).Text("error.authorization.title")
	if err != nil {
		return err
	}
	return p.Render(w, r, http.StatusBadRequest, "refusal", web.View{Title: title, Data: refusalView{
		App: checked.GetApp().GetName(), Host: hostOf(request.Parameters().GetRedirectUri()), Fault: checked.GetFault(),
		// auth has found the address among those of the app: https, or a scheme of an app.
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
	// Only characters of an address are shown, so that a stranger's text cannot look like Vitae's.
	if v.Value = location.Printable(v.Value); len(v.Value) > mostShown {
		v.Value = v.Value[:mostShown] + "…"
	}
	return v, true
}
