package web

import (
	"context"
	"net/http"
	"time"

	"vitae.internal/pkg/errs"
)

// CodeSessionEnded is the error code of a call on behalf of a visitor whose session has ended since it was
// resolved.
const CodeSessionEnded = "SESSION_ENDED"

// maxSessionToken is the maximum length of a session token, in bytes.
const maxSessionToken = 200

// Visitor is the person of a live session.
type Visitor interface {
	SessionToken() string
	// Account returns the display name of the account, which is an email address.
	Account() string
	// Language returns the account's language as a BCP 47 tag, or "" if it has none.
	Language() string
}

// Resolver finds the visitor to whom a session belongs.
type Resolver[V Visitor] interface {
	// Resolve returns the visitor to whom a session token belongs. An error of kind Unauthenticated or Invalid
	// means that there is no live session with this token.
	Resolve(ctx context.Context, token string) (V, error)
}

// Sessions resolves the visitors of a site.
type Sessions[V Visitor] struct {
	site     *Site
	resolver Resolver[V]
}

// NewSessions returns the Sessions of a site.
func NewSessions[V Visitor](site *Site, resolver Resolver[V]) Sessions[V] {
	return Sessions[V]{site: site, resolver: resolver}
}

// LookUp returns the visitor of a request and reports whether someone is signed in.
func (s Sessions[V]) LookUp(r *http.Request) (visitor V, signedIn bool, err error) {
	if known, ok := wishesOf(r).visitor.(V); ok {
		return known, true, nil
	}
	token := s.site.SessionToken(r)
	if token == "" {
		return visitor, false, nil
	}
	visitor, err = s.resolver.Resolve(r.Context(), token)
	if NobodyBehind(err) {
		return visitor, false, nil
	}
	if err == nil {
		wishesOf(r).account = visitor.Language()
	}
	return visitor, err == nil, err
}

// NobodyBehind reports whether an error from a Resolver means that there is no live session.
func NobodyBehind(err error) bool {
	kind := errs.KindOf(err)
	return kind == errs.Unauthenticated || kind == errs.Invalid
}

// Required returns a Handler that calls next for signed-in visitors, and redirects others to sign in.
func (s Sessions[V]) Required(next func(http.ResponseWriter, *http.Request, V) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		Personal(w.Header())
		visitor, signedIn, err := s.LookUp(r)
		if err != nil {
			return err
		}
		if signedIn {
			err = next(w, r, visitor)
		}
		if !signedIn || errs.HasCode(err, CodeSessionEnded) {
			s.site.toSignIn(w, r)
			return nil
		}
		return err
	}
}

// Live reports whether someone is signed in, for use as Route.Session. It stores the visitor, so that Post
// does not resolve the session again.
func (s Sessions[V]) Live(w http.ResponseWriter, r *http.Request) (live bool, err error) {
	err = s.Required(func(_ http.ResponseWriter, r *http.Request, visitor V) error {
		live, wishesOf(r).visitor = true, visitor
		return nil
	})(w, r)
	return live, err
}

// toSignIn redirects to the sign-in page and removes the cookie of a session that has ended.
func (s *Site) toSignIn(w http.ResponseWriter, r *http.Request) {
	Personal(w.Header())
	if s.cookie(r, sessionCookie) != "" {
		s.clearCookie(w, sessionCookie)
	}
	SeeOther(w, s.cfg.SignInPath(r))
}

// SessionToken returns the request's session token, or "" if it is missing or malformed. The session may not be
// live.
func (s *Site) SessionToken(r *http.Request) string {
	token := s.cookie(r, sessionCookie)
	if s.cfg.SealSession {
		token, _ = s.Sealed(r, sessionCookie)
	}
	if len(token) > maxSessionToken {
		return ""
	}
	return token
}

// OpenSession stores a session token in a cookie. It removes any pending notice, which belongs to the
// previous session and possibly to a different person.
func (s *Site) OpenSession(w http.ResponseWriter, token string, life time.Duration) {
	s.clearCookie(w, noticeCookie)
	if s.cfg.SealSession {
		s.SetSealed(w, sessionCookie, token, life)
		return
	}
	s.setCookie(w, sessionCookie, token, life)
}

// EndSession removes the session token, any pending notice, and the data that scripts have stored
// (behaviour: pages#data-removed-at-sign-out).
func (s *Site) EndSession(w http.ResponseWriter) {
	w.Header().Set("Clear-Site-Data", `"storage"`)
	s.clearCookie(w, noticeCookie)
	s.clearCookie(w, sessionCookie)
}
