package web

import (
	"context"
	"net/http"
	"time"

	"vitae.internal/pkg/errs"
)

// CodeSessionEnded is the code of the error by which a call on behalf of a visitor
// says that the session has ended since it was looked up.
const CodeSessionEnded = "SESSION_ENDED"

// maxSessionToken is the longest session token in bytes.
const maxSessionToken = 200

// Visitor is the person behind a live session.
type Visitor interface {
	// SessionToken is the token that the browser holds.
	SessionToken() string
	// Account is what pages call the visitor's account, an email address.
	Account() string
	// Language is that of the account, a BCP 47 tag, "" for none.
	Language() string
}

// Resolver finds the visitor of a session.
type Resolver[V Visitor] interface {
	// Resolve finds the visitor whose session token the browser holds. An error of
	// kind Unauthenticated or Invalid says that nobody is signed in by the token.
	Resolve(ctx context.Context, token string) (V, error)
}

// Sessions lets a site's handlers know who is signed in.
type Sessions[V Visitor] struct {
	site     *Site
	resolver Resolver[V]
}

// NewSessions gives the sessions of a site, which resolver looks up.
func NewSessions[V Visitor](site *Site, resolver Resolver[V]) Sessions[V] {
	return Sessions[V]{site: site, resolver: resolver}
}

// LookUp gives the visitor of a request, and whether anyone is signed in.
func (s Sessions[V]) LookUp(r *http.Request) (visitor V, signedIn bool, err error) {
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

// NobodyBehind reports whether an error of a Resolver says that nobody is signed in by the
// token.
func NobodyBehind(err error) bool {
	kind := errs.KindOf(err)
	return kind == errs.Unauthenticated || kind == errs.Invalid
}

// Required lets only visitors pass who are signed in, and sends others to sign in.
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

// toSignIn sends the browser to sign in, and forgets a session that has ended.
func (s *Site) toSignIn(w http.ResponseWriter, r *http.Request) {
	Personal(w.Header())
	if s.cookie(r, sessionCookie) != "" {
		s.clearCookie(w, sessionCookie)
	}
	SeeOther(w, s.cfg.SignInPath(r))
}

// SessionToken is the session token that the browser holds, "" for none that can be
// one. It is not known to be live.
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

// OpenSession gives a session token to the browser, for the life of the session. A notice that
// waits is of the session before, perhaps of somebody else, and is dropped.
func (s *Site) OpenSession(w http.ResponseWriter, token string, life time.Duration) {
	s.clearCookie(w, noticeCookie)
	if s.cfg.SealSession {
		s.SetSealed(w, sessionCookie, token, life)
		return
	}
	s.setCookie(w, sessionCookie, token, life)
}

// EndSession takes the session token from the browser, what the session was still to be told,
// and what scripts have stored (behaviour: pages#what-signing-out-removes).
func (s *Site) EndSession(w http.ResponseWriter) {
	w.Header().Set("Clear-Site-Data", `"storage"`)
	s.clearCookie(w, noticeCookie)
	s.clearCookie(w, sessionCookie)
}
