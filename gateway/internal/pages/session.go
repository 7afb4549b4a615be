package pages

import (
	"net/http"
	"net/url"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// session is a live session: a person at a browser.
type session struct {
	token  string
	person *authv1.Person
}

// maxSessionToken is the longest token that auth takes.
const maxSessionToken = 200

func (p *Pages) sessionToken(r *http.Request) string {
	token := p.cookie(r, sessionCookie)
	if len(token) > maxSessionToken {
		return ""
	}
	return token
}

// lookUp gives the session of the request, nil when nobody is signed in.
func (p *Pages) lookUp(r *http.Request) (*session, error) {
	token := p.sessionToken(r)
	if token == "" {
		return nil, nil
	}
	resp, err := p.cfg.Sessions.GetSession(r.Context(), &authv1.GetSessionRequest{SessionToken: token})
	switch errs.KindOf(err) {
	case errs.Unauthenticated, errs.Invalid:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &session{token: token, person: resp.GetPerson()}, nil
}

// signedIn lets only signed-in people pass, and only forms that their session has
// shown. Others are sent to sign in and come back.
func (p *Pages) signedIn(next func(http.ResponseWriter, *http.Request, *session) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		personal(w.Header())
		if token := p.sessionToken(r); token != "" && r.Method == http.MethodPost {
			if err := checkCSRF(r, p.sessionCSRF(token)); err != nil {
				return err
			}
		}
		s, err := p.lookUp(r)
		if err != nil {
			return err
		}
		if s == nil {
			return p.toSignIn(w, r)
		}
		err = next(w, r, s)
		if errs.HasCode(err, "SESSION_ENDED") { // between the look-up and the call
			return p.toSignIn(w, r)
		}
		return err
	}
}

// toSignIn sends the browser to sign in and back to where it is. What was posted
// is lost, but for a consent, which is shown again.
func (p *Pages) toSignIn(w http.ResponseWriter, r *http.Request) error {
	back := afterSignIn
	if r.Method != http.MethodPost || isConsent(r.URL.Path) {
		if path, ok := localPath(r.URL.RequestURI()); ok {
			back = path
		}
	}
	if p.cookie(r, sessionCookie) != "" {
		p.clearCookie(w, sessionCookie)
	}
	seeOther(w, signInPath(back))
	return nil
}

func signInPath(back string) string {
	if back == afterSignIn {
		return "/sign-in"
	}
	return "/sign-in?" + url.Values{returnField: {back}}.Encode()
}

// seeOther redirects with a GET. The location is written as it is: http.Redirect
// would clean it.
func seeOther(w http.ResponseWriter, location string) {
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusSeeOther)
}
