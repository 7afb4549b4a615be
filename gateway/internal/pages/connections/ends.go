package connections

import (
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// setEnd sets or removes the date on which an app's access ends automatically
// (behaviour: sign-in#access-that-ends-by-itself).
func (p pages) setEnd(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	req := &authv1.UpdateConnectionRequest{}
	now := p.clock.Now()
	switch r.PostForm.Get("end") {
	case "keep":
		return p.back(w, "notice.unchanged", "")
	case "none":
		req.NoEnd = true
	case "day":
		req.EndsAt = timestamppb.New(now.Add(24 * time.Hour))
	case "month":
		req.EndsAt = timestamppb.New(now.AddDate(0, 1, 0))
	case "date":
		date, err := time.Parse(time.DateOnly, r.PostForm.Get("date"))
		if err != nil {
			return p.refuseEnd(w, r, who)
		}
		req.EndsAt = timestamppb.New(date)
	default:
		return web.ErrMalformed
	}
	c, err := p.update(r, who, req)
	switch {
	case errs.KindOf(err) == errs.Invalid: // the date is in the past or too far in the future
		return p.refuseEnd(w, r, who)
	case err != nil:
		return p.changeFailed(w, err)
	case req.GetNoEnd():
		return p.back(w, "notice.end_removed", c.GetApp().GetName())
	}
	return p.back(w, "notice.end_set", c.GetApp().GetName())
}

// refuseEnd shows the page again, with the submitted date and an error message.
func (p pages) refuseEnd(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	apps, err := p.apps(r, who)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(apps, func(a connectedApp) bool {
		return slices.ContainsFunc(a.Connections, func(c connectionView) bool { return c.ID == r.PathValue("id") })
	})
	if at < 0 {
		return p.back(w, "notice.gone", "")
	}
	apps[at].EndRefused, apps[at].EndDate = true, r.PostForm.Get("date")
	fault, err := p.Fault(r, apps[at].ID+"-end-date", "connections.end.invalid")
	if err != nil {
		return err
	}
	v := web.View{Faults: []web.Fault{fault}, Data: connectionsView{apps}}
	return p.Show(w, r, who, http.StatusUnprocessableEntity, "connections", v, "connections.title")
}
