package web

import (
	"crypto/rand"
	"net/http"
)

// sessionCSRF is the token of the forms that a session shows.
func (s *Site) sessionCSRF(sessionToken string) string { return s.mac("csrf session", sessionToken) }

// formCSRF is the token of a form for people without a session. It is tied to a
// random cookie, so that nobody can sign another person in to an account of theirs.
func (s *Site) formCSRF(secret string) string { return s.mac("csrf form", secret) }

// FormToken gives the CSRF token for a form of an Anonymous route. The secret behind
// it stays the same in a browser, so that two open tabs do not spoil each other.
func (s *Site) FormToken(w http.ResponseWriter, r *http.Request) string {
	secret := s.cookie(r, formCookie)
	if secret == "" {
		secret = rand.Text()
		s.setCookie(w, formCookie, secret, 0)
	}
	return s.formCSRF(secret)
}

// EndForm ends the token of FormToken. Call it when the form has opened a session.
func (s *Site) EndForm(w http.ResponseWriter) { s.clearCookie(w, formCookie) }

func (s *Site) checkFormToken(r *http.Request) error {
	secret := s.cookie(r, formCookie)
	if secret == "" {
		return errForged
	}
	return checkToken(r, s.formCSRF(secret))
}
