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

// Visit is a request of a person with a live session. It implements web.Visitor.
type Visit struct {
	Session *authv1.GetConsoleSessionResponse
	// Member is the membership in the chosen account, nil if the person has no account.
	Member *authv1.Membership
	token  string
}

func (v Visit) SessionToken() string { return v.token }

func (v Visit) Account() string { return v.Session.GetEmail() }

// Language returns "": the console has one language.
func (Visit) Language() string { return "" }

// AccountID returns the id of the chosen account.
func (v Visit) AccountID() string { return v.Member.GetAccountId() }

// MayDevelop reports whether the role may change apps, credentials and keys.
func (v Visit) MayDevelop() bool {
	return v.Member.GetRole() == optionsv1.Role_ROLE_OWNER || v.Member.GetRole() == optionsv1.Role_ROLE_DEVELOPER
}

// MayOwn reports whether the role may change the team and the account.
func (v Visit) MayOwn() bool { return v.Member.GetRole() == optionsv1.Role_ROLE_OWNER }

// Handler answers a visit, or returns the error for the failure page.
type Handler = func(http.ResponseWriter, *http.Request, Visit) error

// asked is the result of resolving the session of a request, which is resolved only once.
type asked struct {
	done bool
	by   Visit
	err  error
}

type askedKey struct{}

// Resolve asks auth for the session, so that an ended one is rejected at once.
func (s *Shell) Resolve(ctx context.Context, token string) (Visit, error) {
	a, ok := ctx.Value(askedKey{}).(*asked)
	if ok && a.done {
		return a.by, a.err
	}
	session, err := s.console.GetConsoleSession(grpcx.WithConsoleSession(ctx, token), &authv1.GetConsoleSessionRequest{})
	v := Visit{token: token, Session: session}
	if ok {
		*a = asked{true, v, err}
	}
	return v, err
}

// Limited charges a page to the client's address before next calls a service
// (behaviour: limits#pages). A path that is not UTF-8 is not found, because gRPC cannot send it.
func (s *Shell) Limited(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if a, ok := r.Context().Value(askedKey{}).(*asked); !ok || !a.done {
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

// SignedIn calls next for signed-in people. gRPC calls with the context of the request carry
// their session.
func (s *Shell) SignedIn(next Handler) web.Handler {
	return s.Limited(web.NewSessions(s.Site, s).Required(func(w http.ResponseWriter, r *http.Request, v Visit) error {
		v.Member = s.chosen(r, v)
		return next(w, r.WithContext(grpcx.WithConsoleSession(r.Context(), v.token)), v)
	}))
}

// hasSession reports whether a request has a live session. Otherwise it leads to the sign-in.
func (s *Shell) hasSession(w http.ResponseWriter, r *http.Request) (live bool, err error) {
	err = s.SignedIn(func(http.ResponseWriter, *http.Request, Visit) error {
		live = true
		return nil
	})(w, r)
	return live, err
}

// Member calls next for members of an account. Others are led to create one.
func (s *Shell) Member(next Handler) web.Handler {
	return s.SignedIn(func(w http.ResponseWriter, r *http.Request, v Visit) error {
		if v.Member == nil {
			web.SeeOther(w, NewAccountPath)
			return nil
		}
		if r.Method == http.MethodGet && v.Session.GetProven() && s.askedProof(r, r.URL.EscapedPath()) {
			s.ClearSealed(w, proofCookie)
			return s.Back(w, r.URL.EscapedPath(), "proof.given", nil)
		}
		return next(w, r, v)
	})
}

// Asking is Member for pages with a form that only some roles may send, and none while the
// account is suspended. auth checks the form again.
func (s *Shell) Asking(may func(Visit) bool, next Handler) web.Handler {
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
	// proofCookie stores the page to return to after a proof.
	proofCookie = "proof"
	// proofWait is how long a person may take for it.
	proofWait = 10 * time.Minute
)

// askedProof reports whether the person was recently asked for a proof that leads back to a page.
func (s *Shell) askedProof(r *http.Request, back string) bool {
	page, ok := s.Sealed(r, proofCookie)
	return ok && page == back
}

// Proven calls next for people who have proved their presence within ten minutes. Others prove
// it on the pages, and return to page; "" means the address of the form, and {app} is replaced.
// A person who was asked before and still has no proof signs in again: the pages may have
// another browser session, and would lead back at once (behaviour: console#re-authentication).
func (s *Shell) Proven(page string, next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request, v Visit) error {
		// People may leave an account without a proof.
		if v.Session.GetProven() || r.PathValue("person") == v.Session.GetPersonId() {
			if err := next(w, r, v); !errs.HasCode(err, codeProof) {
				return err
			}
		}
		back := cmp.Or(withApp(page, r), r.URL.EscapedPath())
		if s.askedProof(r, back) {
			s.ClearSealed(w, proofCookie)
			web.SeeOther(w, SignInPath+"?"+url.Values{ReturnField: {back}}.Encode())
			return nil
		}
		s.SetSealed(w, proofCookie, back, proofWait)
		web.SeeOther(w, s.AppURL+"/account/confirm?"+url.Values{ReturnField: {s.URL + back}}.Encode())
		return nil
	}
}

// Once calls next for a form that this session has not sent before. Otherwise it leads to
// page, in which {app} is replaced (behaviour: console#a-form-that-is-sent-again).
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

// withApp replaces {app} in a path by that of the request.
func withApp(path string, r *http.Request) string {
	return strings.Replace(path, "{app}", url.PathEscape(r.PathValue("app")), 1)
}

const (
	// accountCookie stores the chosen account.
	accountCookie = "account"
	accountLife   = 180 * 24 * time.Hour
)

// Choose makes an account the chosen one of this browser.
func (s *Shell) Choose(w http.ResponseWriter, accountID string) {
	s.SetSealed(w, accountCookie, accountID, accountLife)
}

// chosen returns the chosen account, by default the first one with the highest role; nil if
// the person has none.
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
			return len(Roles) // a role of a later release
		}
		return at
	}
	return slices.MinFunc(all, func(a, b *authv1.Membership) int { return cmp.Compare(rank(a), rank(b)) })
}
