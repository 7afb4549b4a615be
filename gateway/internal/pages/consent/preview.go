package consent

import (
	"cmp"
	"net/http"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/gateway/internal/web/i18n"
	"vitae.internal/pkg/clock"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// previewPages shows developers the consent page of their app, using the same template as the consent
// page (behaviour: console#consent-preview). No one is signed in on these pages.
type previewPages struct {
	*shell.Shell
	oauth    authv1.OAuthServiceClient
	previews authorization.Previews
	clock    clock.Clock
}

// show shows a preview. It has no working form, and its policy does not allow any form to be
// submitted.
func (p previewPages) show(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	request, ok := p.previews.Read(r.PathValue("token"))
	if !ok {
		return web.NotFound()
	}
	checked, err := request.Check(r.Context(), p.oauth)
	if err != nil {
		return err
	}
	if checked.GetFault() != nil { // the app has changed since the link was created
		return web.NotFound()
	}
	p.ShowIn(r, cmp.Or(r.URL.Query().Get("lang"), p.Language(r).Tag()))
	v, err := p.view(p.Language(r), pendingOf(request, checked))
	if err != nil {
		return err
	}
	w.Header().Set(web.PolicyHeader, strings.Replace(web.Policy{}.String(), "form-action 'self'", "form-action 'none'", 1))
	return p.Render(w, r, http.StatusOK, "consent", v)
}

// view returns the data for a fictional person, in the language of the page.
func (p previewPages) view(l *i18n.Language, c *pending) (v web.View, err error) {
	text := func(key string, args ...any) (s string) {
		if err == nil {
			s, err = l.Text(key, args...)
		}
		return s
	}
	today := p.clock.Now()
	c.cvs = &candidatev1.ListOwnCvsResponse{HasPhoto: true, Cvs: []*candidatev1.CvReference{
		{Id: shell.MainCV, Title: text("cv.main"), UpdatedAt: timestamppb.New(today.AddDate(0, -1, 0))},
		{Id: "cv", Title: text("consent.preview.cv"), UpdatedAt: timestamppb.New(today.AddDate(0, -3, 0))},
	}}
	view := c.view(c.preselected())
	view.Preview, view.EmailVerified = true, true
	v = web.View{Title: text("consent.title", "app", c.app.GetName()), Account: text("consent.preview.person"), OneWay: true, Data: view}
	return v, err
}
