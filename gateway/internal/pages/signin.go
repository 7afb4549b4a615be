package pages

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Longest values that auth takes (auth/v1 SignInRequest).
const (
	maxEmail    = 254 // characters
	maxPassword = 1024
)

// signInView is the sign-in page's own part.
type signInView struct {
	// Return is where to go afterwards, a path of ours.
	Return string
	// App is the app to which that leads, nil if it is none.
	App *appView
	// Email is what the person has typed in already.
	Email string
}

// appView is an app as pages show it.
type appView struct{ Name string }

// signInForm shows the form, unless it has no use.
func (p *Pages) signInForm(w http.ResponseWriter, r *http.Request) error {
	personal(w.Header())
	back := returnPath(r.URL.Query().Get(returnField))
	s, err := p.lookUp(r)
	if err != nil {
		return err
	}
	if s != nil {
		seeOther(w, back)
		return nil
	}
	notice, err := p.takeNotice(w, r)
	if err != nil {
		return err
	}
	return p.showSignIn(w, r, http.StatusOK, view{Notice: notice, Data: signInView{Return: back}})
}

// showSignIn renders the form. The form's secret stays the same in a browser, so
// that two open tabs do not spoil each other.
func (p *Pages) showSignIn(w http.ResponseWriter, r *http.Request, status int, v view) error {
	secret := p.cookie(r, formCookie)
	if secret == "" {
		secret = newFormSecret()
		p.setCookie(w, formCookie, secret, 0)
	}
	v.CSRF = p.formCSRF(secret)
	data := v.Data.(signInView)
	data.App = p.appBehind(r, data.Return)
	v.Data = data
	title, err := p.language(r).Text("signin.title")
	if err != nil {
		return err
	}
	v.Title = title
	return p.render(w, r, status, "signin", v)
}

// appBehind names the app whose request waits behind the sign-in, if there is one.
// The consent page reports what may be wrong with it.
func (p *Pages) appBehind(r *http.Request, back string) *appView {
	u, err := url.Parse(back)
	if err != nil || !isConsent(u.Path) {
		return nil
	}
	resp, err := readAuthorization(u).Check(r.Context(), p.cfg.OAuth)
	if err != nil || resp.GetApp().GetName() == "" {
		return nil
	}
	return &appView{Name: resp.GetApp().GetName()}
}

// signIn opens a session. Whatever session the browser carried is ended in the
// same step, so a planted one is never elevated.
func (p *Pages) signIn(w http.ResponseWriter, r *http.Request) error {
	personal(w.Header())
	secret := p.cookie(r, formCookie)
	if secret == "" {
		return errForged
	}
	if err := checkCSRF(r, p.formCSRF(secret)); err != nil {
		return err
	}
	email, password := strings.TrimSpace(r.PostForm.Get("email")), r.PostForm.Get("password")
	v := view{Data: signInView{Return: returnPath(r.PostForm.Get(returnField)), Email: email}}
	if err := p.checkSignIn(r, &v, email, password); err != nil {
		return err
	}
	if len(v.Faults) > 0 {
		return p.showSignIn(w, r, http.StatusUnprocessableEntity, v)
	}
	resp, err := p.cfg.Sessions.SignIn(r.Context(), &authv1.SignInRequest{
		Email: email, Password: password, ClientIp: p.cfg.ClientIP(r), PreviousSessionToken: p.sessionToken(r),
	})
	if err != nil {
		return p.refuseSignIn(w, r, v, err)
	}
	p.setCookie(w, sessionCookie, resp.GetSessionToken(), resp.GetExpiresAt().AsTime().Sub(p.cfg.Clock.Now()))
	p.clearCookie(w, formCookie)
	seeOther(w, v.Data.(signInView).Return)
	return nil
}

// checkSignIn finds what cannot be right before auth is asked.
func (p *Pages) checkSignIn(r *http.Request, v *view, email, password string) error {
	add := func(field, key string) error {
		message, err := p.language(r).HTML(key)
		v.Faults = append(v.Faults, fault{field, message})
		return err
	}
	name, host, _ := strings.Cut(email, "@")
	switch {
	case email == "":
		if err := add("email", "signin.error.email_missing"); err != nil {
			return err
		}
	case name == "" || host == "" || len([]rune(email)) > maxEmail || strings.ContainsAny(email, " \t\r\n"):
		if err := add("email", "signin.error.email_form"); err != nil {
			return err
		}
	}
	switch {
	case password == "":
		return add("password", "signin.error.password_missing")
	case len(password) > maxPassword:
		return add("password", "signin.error.failed")
	}
	return nil
}

// refuseSignIn shows the form again and says why: the same for a wrong password
// and an unknown e-mail address.
func (p *Pages) refuseSignIn(w http.ResponseWriter, r *http.Request, v view, err error) error {
	language := p.language(r)
	var message template.HTML
	var textErr error
	status := http.StatusUnprocessableEntity
	switch e, _ := errs.As(err); {
	case errs.HasCode(err, "SIGN_IN_FAILED"):
		message, textErr = language.HTML("signin.error.failed")
	case errs.HasCode(err, "SIGN_IN_SLOWED"):
		status = http.StatusTooManyRequests
		wait := max(1, answer.WholeSeconds(e.RetryAfter))
		w.Header().Set("Retry-After", strconv.Itoa(wait))
		var duration string
		if duration, textErr = language.Wait(time.Duration(wait) * time.Second); textErr == nil {
			message, textErr = language.HTML("signin.error.slowed", "wait", duration)
		}
	default:
		return err
	}
	if textErr != nil {
		return textErr
	}
	v.Faults = append(v.Faults, fault{"email", message})
	return p.showSignIn(w, r, status, v)
}

// signOut ends the session. The return path is for people who want to go on with
// another account.
func (p *Pages) signOut(w http.ResponseWriter, r *http.Request) error {
	personal(w.Header())
	back := returnPath(r.PostForm.Get(returnField))
	token := p.sessionToken(r)
	if token == "" {
		seeOther(w, signInPath(back))
		return nil
	}
	if err := checkCSRF(r, p.sessionCSRF(token)); err != nil {
		return err
	}
	if _, err := p.cfg.Sessions.SignOut(r.Context(), &authv1.SignOutRequest{SessionToken: token}); err != nil {
		return err
	}
	p.clearCookie(w, sessionCookie)
	p.notify(w, "notice.signed_out", "")
	seeOther(w, signInPath(back))
	return nil
}
