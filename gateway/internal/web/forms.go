package web

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
)

const (
	// sessionForms is the purpose of the CSRF tokens of signed-in visitors.
	sessionForms = "csrf session"
	// anonymousForms is the purpose of the CSRF tokens of visitors without a session. Such a token is bound to
	// a random cookie, so that an attacker cannot sign a person in to the attacker's account.
	anonymousForms = "csrf form"
)

// FormToken returns the CSRF token for a form of an Anonymous route. A browser always uses the same secret, so
// that a form in one tab does not invalidate a form in a different tab.
func (s *Site) FormToken(w http.ResponseWriter, r *http.Request) string {
	secret := s.cookie(r, formCookie)
	if secret == "" {
		secret = rand.Text()
		s.setCookie(w, formCookie, secret, 0)
	}
	return s.sign(anonymousForms, secret)
}

// EndForm invalidates the token returned by FormToken. Call it once the form has opened a session.
func (s *Site) EndForm(w http.ResponseWriter) { s.clearCookie(w, formCookie) }

func (s *Site) checkFormToken(r *http.Request) error {
	secret := s.cookie(r, formCookie)
	if secret == "" {
		return errForged
	}
	return s.checkToken(r, anonymousForms, secret)
}

// LocalPath validates an untrusted return URL. If the URL is local and its path is allowed, it returns the
// path and the query. The list of allowed paths makes tricks like "//host" and "/\host" harmless. The query
// is not encoded, so pass it through location.Printable before using it in a Location header.
func LocalPath(address string, allowed func(path string) bool) (path, query string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || u.Fragment != "" {
		return "", "", false
	}
	if !allowed(u.Path) || u.RawPath != "" || !strings.HasPrefix(address, u.Path) {
		return "", "", false
	}
	return u.Path, u.RawQuery, true
}
