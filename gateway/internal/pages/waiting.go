package pages

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"vitae.internal/gateway/internal/web"
)

const (
	// waitingCookie keeps the consent page that a person has left to make a CV: the name of the app, a
	// line feed, and the path.
	waitingCookie = "waiting"
	// waitingLife is as long as a session lives.
	waitingLife = 12 * time.Hour
)

// makeCV is the address of the CVs of a person without one, which leads back to a consent page in the
// end (behaviour: sign-in#creating-a-cv-during-consent).
func makeCV(consentPage string) string { return withReturn(cvsPath, consentPage) }

// waiting is the consent page that waits for a CV, nil for none.
func waiting(s *web.Site, r *http.Request) *web.Waiting {
	kept, _ := s.Sealed(r, waitingCookie)
	name, path, _ := strings.Cut(kept, "\n")
	if path = consentBehind(path); path == "" {
		return nil
	}
	return &web.Waiting{Name: name, Path: path}
}

// consentBehind is a return path that leads to a consent page, "" for every other.
func consentBehind(back string) string {
	path, ok := localPath(back)
	if at, _, _ := strings.Cut(path, "?"); !ok || !isConsent(at) {
		return ""
	}
	return path
}

// remembers lets a page keep the consent page that its address names. A link of another site does not:
// a stranger must not choose the page on which the person arrives after saving a CV. Browsers say where
// a link is from; a client that does not is no browser that follows one.
func (p consentPages) remembers(next ownPage) ownPage {
	return func(w http.ResponseWriter, r *http.Request, who person) error {
		back := r.URL.Query().Get(returnField)
		if back == "" {
			return next(w, r, who)
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "" || site == "same-origin" {
			p.remember(w, r, consentBehind(back))
		}
		web.SeeOther(w, r.URL.Path)
		return nil
	}
}

func (p consentPages) remember(w http.ResponseWriter, r *http.Request, back string) {
	u, err := url.Parse(back)
	if err != nil || back == "" || len(back) > maxKept || p.limit(r) != nil {
		return
	}
	checked, err := readAuthorization(u).Check(r.Context(), p.oauth)
	if err != nil || checked.GetFault() != nil {
		return // the consent page would show why, to nobody's use here
	}
	p.site.SetSealed(w, waitingCookie, strings.ReplaceAll(checked.GetApp().GetName(), "\n", " ")+"\n"+back, waitingLife)
}

// afterSaving is where the browser goes when a CV is stored: to the consent page that waits for one, as
// soon as there is one, otherwise to path.
func (p editorPages) afterSaving(r *http.Request, who person, path string) (string, error) {
	left := waiting(p.site, r)
	if left == nil {
		return path, nil
	}
	cvs, err := listCVs(r.Context(), p.profiles, who)
	if err != nil || len(cvs.GetCvs()) == 0 {
		return path, err
	}
	return left.Path, nil
}
