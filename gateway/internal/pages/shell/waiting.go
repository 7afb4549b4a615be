package shell

import (
	"net/http"
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

// Waiting is the consent page that waits for a CV, nil for none
// (behaviour: sign-in#creating-a-cv-during-consent).
func (s *Shell) Waiting(site *web.Site, r *http.Request) *web.Waiting {
	kept, _ := site.Sealed(r, waitingCookie)
	name, path, _ := strings.Cut(kept, "\n")
	if path = s.ConsentBehind(path); path == "" {
		return nil
	}
	return &web.Waiting{Name: name, Path: path}
}

// KeepWaiting keeps the consent page of an app.
func (s *Shell) KeepWaiting(w http.ResponseWriter, app, path string) {
	s.SetSealed(w, waitingCookie, strings.ReplaceAll(app, "\n", " ")+"\n"+path, waitingLife)
}

// EndWaiting forgets the consent page.
func (s *Shell) EndWaiting(w http.ResponseWriter) { s.ClearSealed(w, waitingCookie) }

// ConsentBehind is a return path that leads to a consent page, "" for every other.
func (s *Shell) ConsentBehind(back string) string {
	path, ok := s.LocalPath(back)
	if at, _, _ := strings.Cut(path, "?"); !ok || !IsConsent(at) {
		return ""
	}
	return path
}
