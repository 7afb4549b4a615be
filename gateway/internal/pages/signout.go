package pages

import (
	"net/http"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// signOut ends the session. The return path is for people who want to continue with
// another account.
func (s signIn) signOut(w http.ResponseWriter, r *http.Request) error {
	back := s.site.PostedReturn(r)
	if _, err := s.auth.SignOut(r.Context(), &authv1.SignOutRequest{SessionToken: s.site.SessionToken(r)}); err != nil {
		return err
	}
	s.signedOut(w, back)
	return nil
}

// signedOut takes from the browser what belongs to the session, which has ended.
func (s signIn) signedOut(w http.ResponseWriter, back string) {
	s.site.EndSession(w)
	s.site.EndWaiting(w)
	s.site.Notify(w, "notice.signed_out", "")
	web.SeeOther(w, shell.SignInTo(back))
}
