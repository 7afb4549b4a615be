package connections

import (
	"net/http"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// setEnd sets when the access of an app ends by itself, or removes the end
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
			return p.back(w, "refused.end_invalid", "")
		}
		req.EndsAt = timestamppb.New(date)
	default:
		return web.ErrMalformed
	}
	c, err := p.update(r, who, req)
	switch {
	case errs.KindOf(err) == errs.Invalid: // the date is past, or too far away
		return p.back(w, "refused.end_invalid", "")
	case err != nil:
		return p.changeFailed(w, err)
	case req.GetNoEnd():
		return p.back(w, "notice.end_removed", c.GetApp().GetName())
	}
	return p.back(w, "notice.end_set", c.GetApp().GetName())
}
