package connections

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/pages/seen"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// pages serves the pages about the apps that a person has connected (behaviour: pages#connected-apps).
type pages struct {
	*shell.Shell
	auth     authv1.ConnectionServiceClient
	profiles candidatev1.ProfileServiceClient
	shown    seen.Shown
	clock    clock.Clock
}

type connectionsView struct {
	Apps []connectedApp
}

// connectedApp is an app with all its connections. It can have one connection on the current interface and
// one on the legacy interface (behaviour: pages#one-card-per-connected-app).
type connectedApp struct {
	// ID is the id of one of the app's connections. In URLs, it stands for all of them.
	ID  string
	App shell.App
	// Publisher is the name of the account that publishes the app. Verified and Own have the same meaning as
	// on the consent page.
	Publisher     string
	Verified, Own bool
	// Since is when the person first connected the app.
	Since time.Time
	// Sees lists the message keys for what the app currently sees.
	Sees []string
	// Connections are the app's connections, with the one on the legacy interface last.
	Connections []connectionView
	// Switches are the permissions that the person granted. NotShared lists the message keys for permissions
	// that the app may request but does not have. Homepage is the URL of the app's site, where it can
	// request them.
	Switches  []permissionSwitch
	NotShared []string
	Homepage  string
	// Paused reports whether the person has paused the app, so it has seen nothing since PausedAt.
	Paused   bool
	PausedAt time.Time
	// Pausable is the id of the connection that the forms to pause, resume or end access refer to. They
	// affect all connections of the app.
	Pausable string
	// Older is the id of the connection on the legacy interface if there is also one on the current
	// interface, and "" otherwise.
	Older string
	// Ends reports whether access ends automatically, at EndsAt.
	Ends   bool
	EndsAt time.Time
	// EndRefused reports whether the EndDate that the person entered is not a valid end date.
	EndRefused bool
	EndDate    string
}

// connectionView is a connection of an app.
type connectionView struct {
	ID string
	// CVGranted reports whether the CV can be shared. Sharing reports whether it is shared.
	CVGranted, Sharing bool
	// CVs are the CVs that can be shared. CVID is the id of the CV that is shared.
	CVs  []*candidatev1.CvReference
	CVID string
	// CVGone reports whether the shared CV has been deleted.
	CVGone bool
	Legacy bool
}

// list shows the apps that the person has connected.
func (p pages) list(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	apps, err := p.apps(r, who)
	if err != nil {
		return err
	}
	notice, err := p.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	v := web.View{Notice: notice, Data: connectionsView{apps}}
	return p.Show(w, r, who, http.StatusOK, "connections", v, "connections.title")
}

func (p pages) apps(r *http.Request, who shell.Person) ([]connectedApp, error) {
	connections, err := shell.ListConnections(r.Context(), p.auth, who)
	if err != nil {
		return nil, err
	}
	cvs, err := shell.ListCVs(r.Context(), p.profiles, who, "")
	return byApp(connections, cvs), err
}

// byApp returns one entry per app, in the order in which the apps were first connected.
func byApp(connections []*authv1.Connection, cvs *candidatev1.ListOwnCvsResponse) []connectedApp {
	var apps []connectedApp
	at := map[string]int{}
	for _, c := range connections {
		id := c.GetApp().GetId()
		i, there := at[id]
		if !there {
			i, at[id] = len(apps), len(apps)
			apps = append(apps, connectedApp{
				ID: c.GetId(), App: shell.AppOf(c.GetApp()), Since: c.GetCreatedAt().AsTime(),
				Homepage: shell.Weblink(c.GetApp().GetHomepage()), Publisher: c.GetPublisherName(), Verified: c.GetPublisherVerified(), Own: c.GetPublisherOwn(),
			})
		}
		apps[i].add(c, cvs.GetCvs())
	}
	for id, i := range at {
		apps[i].control(connectionsWith(connections, id), cvs.GetHasPhoto())
	}
	return apps
}

func (a *connectedApp) add(c *authv1.Connection, cvs []*candidatev1.CvReference) {
	if created := c.GetCreatedAt().AsTime(); created.Before(a.Since) {
		a.Since = created
	}
	for _, key := range seen.By(c) {
		if !slices.Contains(a.Sees, key) {
			a.Sees = append(a.Sees, key)
		}
	}
	v := connectionView{
		ID: c.GetId(), CVGranted: c.GetCvGranted(), Sharing: c.GetCvSharing(), CVs: cvs, CVID: c.GetCvId(), Legacy: c.GetLegacy(),
		CVGone: len(cvs) > 0 && !shell.HasCV(cvs, c.GetCvId()),
	}
	if v.Legacy {
		a.Connections = append(a.Connections, v)
	} else {
		a.Connections = append([]connectionView{v}, a.Connections...)
	}
}
