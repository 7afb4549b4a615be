package pages

import (
	"net/http"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// changeCV has an app see another CV. That the CV is the person's own is known
// here alone: auth knows no CVs.
func (p *Pages) changeCV(w http.ResponseWriter, r *http.Request, s *session) error {
	cvs, err := p.listCVs(r.Context(), s)
	if err != nil {
		return err
	}
	id := r.PostForm.Get("cv")
	if !ownCV(cvs.GetCvs(), id) {
		return p.backToConnections(w, "notice.cv_foreign", "")
	}
	c, err := p.update(r, s, &authv1.UpdateConnectionRequest{CvId: proto.String(id)})
	if err != nil {
		return p.changeFailed(w, err)
	}
	if !c.GetCvSharing() {
		return p.backToConnections(w, "notice.cv_chosen_off", c.GetApp().GetName())
	}
	return p.backToConnections(w, "notice.cv_changed", c.GetApp().GetName())
}

// switchSharing turns CV sharing on or off, as the form says. It names the state
// that is wanted, so that pressing twice does not undo it.
func (p *Pages) switchSharing(w http.ResponseWriter, r *http.Request, s *session) error {
	to := r.PostForm.Get("to")
	if to != "on" && to != "off" {
		return errBadRequest
	}
	c, err := p.update(r, s, &authv1.UpdateConnectionRequest{CvSharing: proto.Bool(to == "on")})
	if err != nil {
		return p.changeFailed(w, err)
	}
	return p.backToConnections(w, "notice.sharing_"+to, c.GetApp().GetName())
}

func (p *Pages) update(r *http.Request, s *session, req *authv1.UpdateConnectionRequest) (*authv1.Connection, error) {
	if req.Id = r.PathValue("id"); !oauth.IsText(req.Id) {
		return nil, errNotFound
	}
	req.Actor = s.actor()
	resp, err := p.cfg.Connections.UpdateConnection(r.Context(), req)
	return resp.GetConnection(), err
}

// disconnectView is the own part of the question before an app is disconnected.
type disconnectView struct {
	ID  string
	App appView
}

// askDisconnect asks once.
func (p *Pages) askDisconnect(w http.ResponseWriter, r *http.Request, s *session) error {
	c, err := p.connection(r, s)
	if err != nil {
		return p.changeFailed(w, err)
	}
	title, err := p.language(r).Text("disconnect.title", "app", c.GetApp().GetName())
	if err != nil {
		return err
	}
	v := view{Title: title, Data: disconnectView{ID: c.GetId(), App: appView{Name: c.GetApp().GetName()}}}
	v.identify(p, s)
	return p.render(w, r, http.StatusOK, "disconnect", v)
}

// disconnect ends a connection.
func (p *Pages) disconnect(w http.ResponseWriter, r *http.Request, s *session) error {
	c, err := p.connection(r, s)
	if err != nil {
		return p.changeFailed(w, err)
	}
	if _, err := p.cfg.Connections.Disconnect(r.Context(), &authv1.DisconnectRequest{Actor: s.actor(), Id: c.GetId()}); err != nil {
		return p.changeFailed(w, err)
	}
	return p.backToConnections(w, "notice.disconnected", c.GetApp().GetName())
}

// connection finds the connection that the path names among the person's own.
// Errors: CONNECTION_NOT_FOUND.
func (p *Pages) connection(r *http.Request, s *session) (*authv1.Connection, error) {
	list, err := p.listConnections(r.Context(), s)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if c.GetId() == r.PathValue("id") {
			return c, nil
		}
	}
	return nil, errs.New(errs.NotFound, answer.CodeConnectionNotFound, "There is no such connection.")
}

// changeFailed takes a connection that is gone as a thing to report, not as a
// fault: it may have been ended in another tab.
func (p *Pages) changeFailed(w http.ResponseWriter, err error) error {
	if errs.HasCode(err, answer.CodeConnectionNotFound) {
		return p.backToConnections(w, "notice.gone", "")
	}
	return err
}

func (p *Pages) backToConnections(w http.ResponseWriter, notice, app string) error {
	p.notify(w, notice, app)
	seeOther(w, afterSignIn)
	return nil
}
