package web

import (
	"crypto/rand"
	"net/http"
)

const (
	// sessionForms is the purpose of the tokens of forms that a session shows.
	sessionForms = "csrf session"
	// anonymousForms is that of forms for people without a session. Their token is tied to
	// a random cookie, so that nobody can sign another person in to an account of theirs.
	anonymousForms = "csrf form"
)

// FormToken gives the CSRF token for a form of an Anonymous route. The secret behind
// it stays the same in a browser, so that two open tabs do not spoil each other.
func (s *Site) FormToken(w http.ResponseWriter, r *http.Request) string {
	secret := s.cookie(r, formCookie)
	if secret == "" {
		secret = rand.Text()
		s.setCookie(w, formCookie, secret, 0)
	}
	return s.sign(anonymousForms, secret)
}

// EndForm ends the token of FormToken. Call it when the form has opened a session.
func (s *Site) EndForm(w http.ResponseWriter) { s.clearCookie(w, formCookie) }

func (s *Site) checkFormToken(r *http.Request) error {
	secret := s.cookie(r, formCookie)
	if secret == "" {
		return errForged
	}
	return s.checkToken(r, anonymousForms, secret)
}
