package console

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

// developer is a person with a live session of the console. It implements web.Visitor.
type developer struct {
	token   string
	session *authv1.GetConsoleSessionResponse
}

func (d developer) SessionToken() string { return d.token }

func (d developer) Account() string { return d.session.GetEmail() }

// Language implements web.Visitor: the console has one language.
func (developer) Language() string { return "" }

// resolver asks auth about every request's session, so that one that has ended is refused
// at once.
type resolver struct{ auth authv1.ConsoleServiceClient }

func (s resolver) Resolve(ctx context.Context, token string) (developer, error) {
	session, err := s.auth.GetConsoleSession(grpcx.WithConsoleSession(ctx, token), &authv1.GetConsoleSessionRequest{})
	d := developer{token: token, session: session}
	if a, ok := ctx.Value(askedKey{}).(*asked); ok {
		a.done, a.by, a.err = true, d, err
	}
	return d, err
}

// visit is a request of a developer about the account that they have chosen.
type visit struct {
	developer
	account *authv1.Membership
}

// mayDevelop reports whether the visitor may change apps, credentials and keys.
func (v visit) mayDevelop() bool {
	return v.account.GetRole() == optionsv1.Role_ROLE_OWNER || v.account.GetRole() == optionsv1.Role_ROLE_DEVELOPER
}

// mayOwn reports whether the visitor may change team and account.
func (v visit) mayOwn() bool { return v.account.GetRole() == optionsv1.Role_ROLE_OWNER }

type (
	signedInHandler = func(http.ResponseWriter, *http.Request, developer) error
	visitHandler    = func(http.ResponseWriter, *http.Request, visit) error
)

// limited spends a page of the client's address before the handler asks another part
// (behaviour: limits#pages). A path that is not text names nothing, and no
// part can be asked for it: a message with it cannot be sent.
func (c *Console) limited(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := c.Page(r); err != nil {
			return err
		}
		if !utf8.ValidString(r.URL.Path) {
			return web.NotFound()
		}
		return next(w, r)
	}
}

// signedIn lets people pass who are signed in, and whose address may open a page. Calls
// with the context of the request are made for them.
func (c *Console) signedIn(next signedInHandler) web.Handler {
	return c.limited(web.NewSessions(c.site, resolver{c.console}).Required(func(w http.ResponseWriter, r *http.Request, d developer) error {
		return next(w, r.WithContext(grpcx.WithConsoleSession(r.Context(), d.token)), d)
	}))
}

// member lets people pass who are members of an account; others are offered to create one.
func (c *Console) member(next visitHandler) web.Handler {
	return c.signedIn(func(w http.ResponseWriter, r *http.Request, d developer) error {
		chosen := c.chosen(r, d)
		if chosen == nil {
			web.SeeOther(w, newAccountPath)
			return nil
		}
		if r.Method == http.MethodGet && d.session.GetProven() && c.askedProof(r, r.URL.EscapedPath()) {
			c.site.ClearSealed(w, proofCookie)
			c.site.Notify(w, "proof.given", "")
			web.SeeOther(w, r.URL.EscapedPath())
			return nil
		}
		return next(w, r, visit{d, chosen})
	})
}

// asking lets people pass to a form that their role may send while the account is not
// suspended, so that nobody fills in what is refused. auth decides about the form itself.
func (c *Console) asking(may func(visit) bool, next visitHandler) web.Handler {
	return c.member(func(w http.ResponseWriter, r *http.Request, v visit) error {
		if !may(v) {
			return errs.New(errs.Denied, "ROLE_NOT_ALLOWED", "The role does not allow this.")
		}
		if v.account.GetSuspended() {
			return errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "The account is suspended.")
		}
		return next(w, r, v)
	})
}

const (
	// proofCookie keeps the page to which a person comes back from the pages' question for a proof.
	proofCookie = "proof"
	// proofWait is how long a person may take for it.
	proofWait = 10 * time.Minute
)

// askedProof reports whether the person was lately led to the pages to prove to be there and come back to
// a page.
func (c *Console) askedProof(r *http.Request, back string) bool {
	page, ok := c.site.Sealed(r, proofCookie)
	return ok && page == back
}

// proven lets a form, or the page of a long one, pass of a person who has proven to be there within the
// last ten minutes. Others are asked on the pages, and led back to page, a path in which {app} stands for
// that of the request; with none, to the page at the address of the form. A person who was asked before
// and still has not proven it for this session signs in to the console again: the pages may have another
// browser session than the one of the console's session, and would lead back at once
// (behaviour: console#re-authentication).
func (c *Console) proven(page string, next visitHandler) visitHandler {
	return func(w http.ResponseWriter, r *http.Request, v visit) error {
		if v.session.GetProven() || r.PathValue("person") == v.session.GetPersonId() {
			if err := next(w, r, v); !errs.HasCode(err, codeProof) {
				return err
			}
		}
		back := cmp.Or(strings.Replace(page, "{app}", url.PathEscape(r.PathValue("app")), 1), r.URL.EscapedPath())
		if c.askedProof(r, back) {
			c.site.ClearSealed(w, proofCookie)
			web.SeeOther(w, signInPath+"?"+url.Values{returnField: {back}}.Encode())
			return nil
		}
		c.site.SetSealed(w, proofCookie, back, proofWait)
		web.SeeOther(w, c.AppURL+"/account/confirm?"+url.Values{returnField: {c.URL + back}}.Encode())
		return nil
	}
}

// formField is the field of a form that makes something with the form's random name.
const formField = "form"

// once lets a form pass that was not sent before in this session; another leads to page, a
// path in which {app} stands for that of the request
// (behaviour: console#a-form-that-is-sent-again).
func (c *Console) once(page string, next visitHandler) web.Handler {
	return c.member(c.takenOnceBy(page, next))
}

// provenOnce is once for a form that asks for a recent proof too. The form is not taken without.
func (c *Console) provenOnce(page string, next visitHandler) web.Handler {
	return c.member(c.proven(page, c.takenOnceBy(page, next)))
}

func (c *Console) takenOnceBy(page string, next visitHandler) visitHandler {
	return func(w http.ResponseWriter, r *http.Request, v visit) error {
		return c.takenOnce(page, func(w http.ResponseWriter, r *http.Request, _ developer) error { return next(w, r, v) })(w, r, v.developer)
	}
}

// takenOnce is once for people who need no account.
func (c *Console) takenOnce(page string, next signedInHandler) signedInHandler {
	return func(w http.ResponseWriter, r *http.Request, d developer) error {
		_, err := c.console.TakeConsoleForm(r.Context(), &authv1.TakeConsoleFormRequest{Form: r.PostForm.Get(formField)})
		if errs.HasCode(err, codeFormSent) {
			return c.backTo(w, strings.Replace(page, "{app}", url.PathEscape(r.PathValue("app")), 1), noticeSent, "", nil)
		}
		if err != nil {
			return err
		}
		return next(w, r, d)
	}
}

// accountCookie remembers which account a browser looks at.
const accountCookie = "account"

// chosen is the account that the visitor has chosen, or else the first of those in which they
// may do the most; nil for none.
func (c *Console) chosen(r *http.Request, d developer) *authv1.Membership {
	all := d.session.GetMemberships()
	if len(all) == 0 {
		return nil
	}
	if id, ok := c.site.Sealed(r, accountCookie); ok {
		for _, m := range all {
			if m.GetAccountId() == id {
				return m
			}
		}
	}
	return slices.MinFunc(all, func(a, b *authv1.Membership) int { return cmp.Compare(rankOf(a), rankOf(b)) })
}

// rankOf is the place of a member's role among the roles, the most powerful first.
func rankOf(m *authv1.Membership) int {
	for i, r := range roles {
		if r.role == m.GetRole() {
			return i
		}
	}
	return len(roles)
}
