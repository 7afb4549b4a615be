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

// changeCV lets an app see another CV, if candidate lets the person share it.
func (p pages) changeCV(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	id := r.PostForm.Get("cv")
	_, err := shell.ListCVs(r.Context(), p.profiles, who, id)
	if id == "" || errs.HasCode(err, shell.CodeCVNotFound) {
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

// askDisconnect asks whether an app is to be disconnected.
func (p pages) askDisconnect(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	c, err := p.connection(r, who)
	if err != nil {
		return p.changeFailed(w, err)
	}
	v := web.View{Data: disconnectView{ID: c.GetId(), App: shell.AppOf(c.GetApp())}}
	return p.Show(w, r, who, http.StatusOK, "disconnect", v, "disconnect.title", "app", c.GetApp().GetName())
}

// disconnect ends the app that the person chose, however it is connected
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

// endOlder ends the connection of the legacy interface and leaves the other one, whose switches then
// decide alone.
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

// connection finds the connection that the path names among the person's own.
// Errors: CONNECTION_NOT_FOUND.
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

// connectionsWith returns the connections with one app: one, or one of each interface.
func connectionsWith(list []*authv1.Connection, appID string) (all []*authv1.Connection) {
	for _, c := range list {
		if c.GetApp().GetId() == appID {
			all = append(all, c)
		}
	}
	return all
}

// changeFailed reports a connection that is gone and does not treat it as a fault:
// it may have been ended in another tab.
func (p pages) changeFailed(w http.ResponseWriter, err error) error {
	if errs.HasCode(err, answer.CodeConnectionNotFound) {
		return p.back(w, "notice.gone", "")
	}
	return err
}

// back sends the browser to the connected apps, where a notice is shown.
func (p pages) back(w http.ResponseWriter, notice, app string) error {
	return p.GoTo(w, shell.ConnectionsPath, notice, app)
}
