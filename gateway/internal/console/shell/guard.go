package shell

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Visit is a request by a person who has a session. It implements web.Visitor.
type Visit struct {
	Session *authv1.GetConsoleSessionResponse
	// Member is the person's membership in the selected account, or nil if they have no account.
	Member *authv1.Membership
	token  string
}

func (v Visit) SessionToken() string { return v.token }

func (v Visit) Account() string { return v.Session.GetEmail() }

// Language returns "", because the console has only one language.
func (Visit) Language() string { return "" }

// AccountID returns the id of the selected account.
func (v Visit) AccountID() string { return v.Member.GetAccountId() }

// MayDevelop reports whether the person's role may change apps and credentials.
func (v Visit) MayDevelop() bool {
	return v.Member.GetRole() == optionsv1.Role_ROLE_OWNER || v.Member.GetRole() == optionsv1.Role_ROLE_DEVELOPER
}

// MayOwn reports whether the person's role may change the team and the account.
func (v Visit) MayOwn() bool { return v.Member.GetRole() == optionsv1.Role_ROLE_OWNER }

// Handler handles a Visit. If it returns an error, a failure page is shown.
type Handler = func(http.ResponseWriter, *http.Request, Visit) error

// resolution caches the session of a request, so it is resolved only once.
type resolution struct {
	done  bool
	visit Visit
	err   error
}

type resolutionKey struct{}

// Resolve reads the session from the auth service on every request, so a revoked session is
// rejected immediately.
func (s *Shell) Resolve(ctx context.Context, token string) (Visit, error) {
	a, ok := ctx.Value(resolutionKey{}).(*resolution)
	if ok && a.done {
		return a.visit, a.err
	}
	session, err := s.console.GetConsoleSession(grpcx.WithConsoleSession(ctx, token), &authv1.GetConsoleSessionRequest{})
	v := Visit{token: token, Session: session}
	if ok {
		*a = resolution{true, v, err}
	}
	return v, err
}

// Limited counts a page against the limit of the client's IP address before next calls a service
// (behaviour: limits#pages). It returns 404 if the path is not valid UTF-8, because gRPC cannot
// send it.
func (s *Shell) Limited(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if a, ok := r.Context().Value(resolutionKey{}).(*resolution); !ok || !a.done {
			if err := s.Page(r); err != nil {
				return err
			}
		}
		if !utf8.ValidString(r.URL.Path) {
			return web.NotFound()
		}
		return next(w, r)
	}
}

// SignedIn calls next for signed-in people. gRPC calls made with the request's context carry the
// session.
func (s *Shell) SignedIn(next Handler) web.Handler {
	return s.Limited(web.NewSessions(s.Site, s).Required(func(w http.ResponseWriter, r *http.Request, v Visit) error {
		v.Member = s.chosen(r, v)
		return next(w, r.WithContext(grpcx.WithConsoleSession(r.Context(), v.token)), v)
	}))
}

// hasSession reports whether a request has a live session. If it does not, hasSession redirects to
// the sign-in.
func (s *Shell) hasSession(w http.ResponseWriter, r *http.Request) (live bool, err error) {
	err = s.SignedIn(func(http.ResponseWriter, *http.Request, Visit) error {
		live = true
		return nil
	})(w, r)
	return live, err
}

// Member calls next for members of an account. It redirects other people to the page that creates
// an account.
func (s *Shell) Member(next Handler) web.Handler {
	return s.SignedIn(func(w http.ResponseWriter, r *http.Request, v Visit) error {
		if v.Member == nil {
			web.SeeOther(w, NewAccountPath)
			return nil
		}
		if r.Method == http.MethodGet && v.Session.GetProven() && s.proofRequested(r, r.URL.EscapedPath()) {
			s.ClearSealed(w, proofCookie)
			return s.Back(w, r.URL.EscapedPath(), "proof.given", nil)
		}
		return next(w, r, v)
	})
}

// RequireRole calls next for members for whom may returns true. It rejects the request if the
// account is suspended. The auth service checks again when it handles the submitted form.
func (s *Shell) RequireRole(may func(Visit) bool, next Handler) web.Handler {
	return s.Member(func(w http.ResponseWriter, r *http.Request, v Visit) error {
		if !may(v) {
			return errs.New(errs.Denied, "ROLE_NOT_ALLOWED", "The role does not allow this.")
		}
		if v.Member.GetSuspended() {
			return errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "The account is suspended.")
		}
		return next(w, r, v)
	})
}

const (
	// proofCookie stores the page to return to after re-authentication.
	proofCookie = "proof"
	// proofWait limits how long a person may take to re-authenticate.
	proofWait = 10 * time.Minute
)

// proofRequested reports whether the person was recently sent to re-authenticate and then return to
// the page back.
func (s *Shell) proofRequested(r *http.Request, back string) bool {
	page, ok := s.Sealed(r, proofCookie)
	return ok && page == back
}

// Proven calls next for people who have authenticated within the last ten minutes. It sends other
// people to the web app, where they re-authenticate before they return to page. If page is "", they
// return to the form's URL. {app} in page is replaced. If a person returns from there without
// having re-authenticated, they must sign in again. The web app may hold a session other than the
// console's, and would immediately redirect back (behaviour: console#re-authentication).
func (s *Shell) Proven(page string, next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request, v Visit) error {
		// Leaving an account needs no re-authentication.
		if v.Session.GetProven() || r.PathValue("person") == v.Session.GetPersonId() {
			if err := next(w, r, v); !errs.HasCode(err, codeProof) {
				return err
			}
		}
		back := cmp.Or(withApp(page, r), r.URL.EscapedPath())
		if s.proofRequested(r, back) {
			s.ClearSealed(w, proofCookie)
			web.SeeOther(w, SignInPath+"?"+url.Values{ReturnField: {back}}.Encode())
			return nil
		}
		s.SetSealed(w, proofCookie, back, proofWait)
		web.SeeOther(w, s.AppURL+"/account/confirm?"+url.Values{ReturnField: {s.URL + back}}.Encode())
		return nil
	}
}

// Once calls next for a form that the session has not submitted before. For any other form, it
// redirects to page, in which {app} is replaced (behaviour: console#a-form-that-is-sent-again).
func (s *Shell) Once(page string, next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request, v Visit) error {
		_, err := s.console.TakeConsoleForm(r.Context(), &authv1.TakeConsoleFormRequest{Form: r.PostForm.Get(FormField)})
		if errs.HasCode(err, codeFormSent) {
			return s.Back(w, withApp(page, r), noticeSent, nil)
		}
		if err != nil {
			return err
		}
		return next(w, r, v)
	}
}

// withApp replaces {app} in a path with the request's app id.
func withApp(path string, r *http.Request) string {
	return strings.Replace(path, "{app}", url.PathEscape(r.PathValue("app")), 1)
}

const (
	// accountCookie stores the id of the selected account.
	accountCookie = "account"
	accountLife   = 180 * 24 * time.Hour
)

// Choose stores the selected account in a cookie.
func (s *Shell) Choose(w http.ResponseWriter, accountID string) {
	s.SetSealed(w, accountCookie, accountID, accountLife)
}

// chosen returns the membership in the selected account. The default is the first account in which
// the person has their highest role. It returns nil if the person has no account.
func (s *Shell) chosen(r *http.Request, v Visit) *authv1.Membership {
	all := v.Session.GetMemberships()
	if len(all) == 0 {
		return nil
	}
	if id, ok := s.Sealed(r, accountCookie); ok {
		for _, m := range all {
			if m.GetAccountId() == id {
				return m
			}
		}
	}
	rank := func(m *authv1.Membership) int {
		at := slices.IndexFunc(Roles, func(r Role) bool { return r.role == m.GetRole() })
		if at < 0 {
			return len(Roles) // the role was added in a newer release
		}
		return at
	}
	return slices.MinFunc(all, func(a, b *authv1.Membership) int { return cmp.Compare(rank(a), rank(b)) })
}
