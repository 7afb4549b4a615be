package consent

import (
	"net/http"
	"net/url"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
)

// makeCV returns the URL at which a person without a CV can create one. In the end, it leads back to the
// consent page (behaviour: sign-in#creating-a-cv-during-consent).
func makeCV(consentPage string) string { return shell.WithReturn(shell.CVsPath, consentPage) }

// Remembers wraps a page so that it stores the consent page named in its URL. It does so only for links from
// this site, because a stranger must not be able to choose the page on which the person arrives after saving
// a CV. A request without Sec-Fetch-Site is also accepted, because it does not come from a browser that has
// followed a link.
func (p Pages) Remembers(next shell.Page) shell.Page {
	return func(w http.ResponseWriter, r *http.Request, who shell.Person) error {
		back := r.URL.Query().Get(shell.ReturnField)
		if back == "" {
			return next(w, r, who)
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "" || site == "same-origin" {
			p.remember(w, r, p.ConsentBehind(back))
		}
		web.SeeOther(w, r.URL.Path)
		return nil
	}
}

func (p Pages) remember(w http.ResponseWriter, r *http.Request, back string) {
	u, err := url.Parse(back)
	if err != nil || back == "" || len(back) > shell.MaxKept || p.Config.Charge(r) != nil {
		return
	}
	checked, err := shell.ReadAuthorization(u).Check(r.Context(), p.oauth)
	if err != nil || checked.GetFault() != nil {
		return // the consent page would show the error, which does not help here
	}
	p.KeepWaiting(w, checked.GetApp().GetName(), back)
}
