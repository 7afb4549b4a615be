package shell

import (
	"net/http"
	"strings"
	"time"

	"vitae.internal/gateway/internal/web"
)

const (
	// waitingCookie stores the consent page that the person has left to create a CV. Its value is
	// the app's name, a line feed and the path.
	waitingCookie = "waiting"
	// waitingLife is the same as the lifetime of a session.
	waitingLife = 12 * time.Hour
)

// Waiting returns the consent page that the person has left to create a CV, or nil if there is none
// (behaviour: sign-in#creating-a-cv-during-consent).
func (s *Shell) Waiting(site *web.Site, r *http.Request) *web.Waiting {
	kept, _ := site.Sealed(r, waitingCookie)
	name, path, _ := strings.Cut(kept, "\n")
	if path = s.ConsentBehind(path); path == "" {
		return nil
	}
	return &web.Waiting{Name: name, Path: path}
}

// KeepWaiting stores the path of an app's consent page.
func (s *Shell) KeepWaiting(w http.ResponseWriter, app, path string) {
	s.SetSealed(w, waitingCookie, strings.ReplaceAll(app, "\n", " ")+"\n"+path, waitingLife)
}

// EndWaiting removes the stored consent page.
func (s *Shell) EndWaiting(w http.ResponseWriter) { s.ClearSealed(w, waitingCookie) }

// ConsentBehind returns the path back if it is allowed and leads to a consent page. Otherwise, it
// returns "".
func (s *Shell) ConsentBehind(back string) string {
	path, ok := s.LocalPath(back)
	if at, _, _ := strings.Cut(path, "?"); !ok || !IsConsent(at) {
		return ""
	}
	return path
}
