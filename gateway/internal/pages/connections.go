package pages

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// connectionPages are the apps that a person has connected
// (behaviour: pages#connected-apps).
type connectionPages struct {
	site     *web.Site
	auth     Connections
	profiles Profiles
}

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
	// CVs are what can be shared, CVID is what is shared.
	CVs  []*candidatev1.CvReference
	CVID string
	// CVGone says that the shared CV is deleted.
	CVGone bool
	// Legacy says that it is a consent of the legacy interface.
	Legacy bool
}

// list shows the apps that the person has connected.
func (p connectionPages) list(w http.ResponseWriter, r *http.Request, who person) error {
	connections, err := listConnections(r.Context(), p.auth, who)
	if err != nil {
		return err
	}
	cvs, err := listCVs(r.Context(), p.profiles, who)
	if err != nil {
		return err
	}
	notice, err := p.site.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	title, err := p.site.Language(r).Text("connections.title")
	if err != nil {
		return err
	}
	var data connectionsView
	for _, c := range connections {
		data.Connections = append(data.Connections, viewConnection(c, cvs.GetCvs()))
	}
	v := web.View{Title: title, Notice: notice, Data: data}
	p.site.Identify(&v, who)
	return p.site.Render(w, r, http.StatusOK, "connections", v)
}

func viewConnection(c *authv1.Connection, cvs []*candidatev1.CvReference) connectionView {
	v := connectionView{
		ID: c.GetId(), App: appView{Name: c.GetApp().GetName()}, Since: c.GetCreatedAt().AsTime(),
		CVGranted: c.GetCvGranted(), Sharing: c.GetCvSharing(), CVs: cvs, CVID: c.GetCvId(),
	}
	if slices.Contains(c.GetScopes(), scope.Profile) {
		v.Sees = append(v.Sees, "connections.chip.profile")
	}
	if c.GetSharePhoto() {
		v.Sees = append(v.Sees, "connections.chip.photo")
	}
	for _, one := range []struct{ scope, key string }{
		{scope.Email, "connections.chip.email"}, {scope.CVRead, "connections.chip.cv"}, {scope.CVContact, "connections.chip.contact"},
	} {
		if slices.Contains(c.GetScopes(), one.scope) {
			v.Sees = append(v.Sees, one.key)
		}
	}
	if v.Legacy = c.GetLegacy(); v.Legacy {
		v.Sees = append([]string{"connections.chip.legacy"}, v.Sees...)
	}
	v.CVGone = len(cvs) > 0 && !ownCV(cvs, c.GetCvId())
	return v
}
