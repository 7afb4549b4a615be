package pages

import (
	"context"
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/api/oauth"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// connectionsView is the own part of the page of connected apps.
type connectionsView struct {
	Connections []connectionView
}

// connectionView is one connected app.
type connectionView struct {
	ID    string
	App   appView
	Since time.Time
	// Sees holds the message keys of what the app sees now.
	Sees []string
	// CVGranted says whether there is any sharing to switch, Sharing whether it is on.
	CVGranted, Sharing bool
	// CVs are what can be shared; CVID is what is, and CVGone tells that it is deleted.
	CVs    []*candidatev1.CvReference
	CVID   string
	CVGone bool
	// Legacy says that it is a consent of the older interface.
	Legacy bool
}

// connections lists the apps that the person has connected.
func (p *Pages) connections(w http.ResponseWriter, r *http.Request, s *session) error {
	list, err := p.listConnections(r.Context(), s)
	if err != nil {
		return err
	}
	cvs, err := p.listCVs(r.Context(), s)
	if err != nil {
		return err
	}
	notice, err := p.takeNotice(w, r)
	if err != nil {
		return err
	}
	title, err := p.language(r).Text("connections.title")
	if err != nil {
		return err
	}
	var data connectionsView
	for _, c := range list {
		data.Connections = append(data.Connections, viewConnection(c, cvs.GetCvs()))
	}
	v := view{Title: title, Notice: notice, Data: data}
	v.identify(p, s)
	return p.render(w, r, http.StatusOK, "connections", v)
}

func (p *Pages) listConnections(ctx context.Context, s *session) ([]*authv1.Connection, error) {
	resp, err := p.cfg.Connections.ListConnections(ctx, &authv1.ListConnectionsRequest{Actor: s.actor()})
	return resp.GetConnections(), err
}

// actor lets the person act for themselves.
func (s *session) actor() *authv1.Actor {
	return &authv1.Actor{By: &authv1.Actor_SessionToken{SessionToken: s.token}}
}

func viewConnection(c *authv1.Connection, cvs []*candidatev1.CvReference) connectionView {
	v := connectionView{
		ID: c.GetId(), App: appView{Name: c.GetApp().GetName()}, Since: c.GetCreatedAt().AsTime(),
		CVGranted: c.GetCvGranted(), Sharing: c.GetCvSharing(), CVs: cvs, CVID: c.GetCvId(),
	}
	if slices.Contains(c.GetScopes(), oauth.ScopeProfile) {
		v.Sees = append(v.Sees, "connections.chip.profile")
	}
	if c.GetSharePhoto() {
		v.Sees = append(v.Sees, "connections.chip.photo")
	}
	for _, scope := range []struct{ name, key string }{
		{oauth.ScopeEmail, "connections.chip.email"}, {oauth.ScopeCV, "connections.chip.cv"}, {oauth.ScopeContact, "connections.chip.contact"},
	} {
		if slices.Contains(c.GetScopes(), scope.name) {
			v.Sees = append(v.Sees, scope.key)
		}
	}
	if v.Legacy = c.GetLegacy(); v.Legacy {
		v.Sees = append([]string{"connections.chip.legacy"}, v.Sees...)
	}
	v.CVGone = len(cvs) > 0 && !ownCV(cvs, c.GetCvId())
	return v
}
