package pages

import (
	"net/http"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// home serves the start page.
type home struct {
	site     *shell.Shell
	profiles candidatev1.ProfileServiceClient
}

type homeView struct {
	// NoCV reports whether the signed-in person has no CV yet.
	NoCV bool
}

// show renders the start page, with or without a session.
func (h home) show(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	who, known, err := h.site.Sessions.LookUp(r)
	if err != nil {
		return err
	}
	title, err := h.site.Language(r).Text("home.title")
	if err != nil {
		return err
	}
	v := web.View{Title: title}
	if known {
		h.site.Identify(&v, who)
		cvs, err := shell.ListCVs(r.Context(), h.profiles, who, "")
		if err != nil {
			return err
		}
		v.Data = homeView{NoCV: len(cvs.GetCvs()) == 0}
	}
	return h.site.Render(w, r, http.StatusOK, "home", v)
}
