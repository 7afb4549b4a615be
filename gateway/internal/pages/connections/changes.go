package connections

import (
	"net/http"
	"slices"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// changeCV shares a different CV with an app, if the candidate service lets the person share it.
func (p pages) changeCV(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	id := r.PostForm.Get("cv")
	_, err := shell.ListCVs(r.Context(), p.profiles, who, id)
	if errs.HasCode(err, shell.CodeCVNotFound) || err == nil && id == "" {
		return p.back(w, "refused.cv_foreign", "")
	}
	if err != nil {
		return err
	}
	c, err := p.update(r, who, &authv1.UpdateConnectionRequest{CvId: proto.String(id)})
	if err != nil {
		return p.changeFailed(w, err)
	}
	if !c.GetCvSharing() {
		return p.back(w, "notice.cv_chosen_off", c.GetApp().GetName())
	}
	return p.back(w, "notice.cv_changed", c.GetApp().GetName())
}

func (p pages) update(r *http.Request, who shell.Person, req *authv1.UpdateConnectionRequest) (*authv1.Connection, error) {
	if req.Id = r.PathValue("id"); !fault.IsStorable(req.Id) {
		return nil, web.NotFound()
	}
	req.Actor = who.Actor()
	resp, err := p.auth.UpdateConnection(r.Context(), req)
	return resp.GetConnection(), err
}

type disconnectView struct {
	ID  string
	App shell.App
}

// askDisconnect asks for confirmation before an app is disconnected.
func (p pages) askDisconnect(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	c, err := p.connection(r, who)
	if err != nil {
		return p.changeFailed(w, err)
	}
	v := web.View{Data: disconnectView{ID: c.GetId(), App: shell.AppOf(c.GetApp())}}
	return p.Show(w, r, who, http.StatusOK, "disconnect", v, "disconnect.title", "app", c.GetApp().GetName())
}

// disconnect ends all connections of the chosen app, on both interfaces
// (behaviour: pages#one-card-per-connected-app).
func (p pages) disconnect(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	c, err := p.connection(r, who)
	if err != nil {
		return p.changeFailed(w, err)
	}
	if _, err := p.auth.Disconnect(r.Context(), &authv1.DisconnectRequest{Actor: who.Actor(), Id: c.GetId()}); err != nil {
		return p.changeFailed(w, err)
	}
	return p.back(w, "notice.disconnected", c.GetApp().GetName())
}

// endOlder ends the connection on the legacy interface and keeps the other one. From then on, only the other
// connection's switches determine what the app sees.
func (p pages) endOlder(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	c, err := p.connection(r, who)
	if err != nil {
		return p.changeFailed(w, err)
	}
	if !c.GetLegacy() {
		return web.ErrMalformed
	}
	if _, err := p.auth.Disconnect(r.Context(), &authv1.DisconnectRequest{Actor: who.Actor(), Id: c.GetId(), Only: true}); err != nil {
		return p.changeFailed(w, err)
	}
	return p.back(w, "notice.older_ended", c.GetApp().GetName())
}

// connection returns the person's connection that the path names. It returns CONNECTION_NOT_FOUND if the
// person has no such connection.
func (p pages) connection(r *http.Request, who shell.Person) (*authv1.Connection, error) {
	list, err := shell.ListConnections(r.Context(), p.auth, who)
	if err != nil {
		return nil, err
	}
	named := slices.IndexFunc(list, func(c *authv1.Connection) bool { return c.GetId() == r.PathValue("id") })
	if named < 0 {
		return nil, errs.New(errs.NotFound, answer.CodeConnectionNotFound, "There is no such connection.")
	}
	return list[named], nil
}

// connectionsWith returns the connections with an app: at most one per interface.
func connectionsWith(list []*authv1.Connection, appID string) (all []*authv1.Connection) {
	for _, c := range list {
		if c.GetApp().GetId() == appID {
			all = append(all, c)
		}
	}
	return all
}

// changeFailed shows a notice if a connection no longer exists, rather than an error, because it may have
// been ended in a different tab.
func (p pages) changeFailed(w http.ResponseWriter, err error) error {
	if errs.HasCode(err, answer.CodeConnectionNotFound) {
		return p.back(w, "notice.gone", "")
	}
	return err
}

// back redirects the browser to the connected apps, where a notice is shown.
func (p pages) back(w http.ResponseWriter, notice, app string) error {
	return p.GoTo(w, shell.ConnectionsPath, notice, app)
}
