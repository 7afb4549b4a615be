package entry

import (
	"net/http"
	"net/url"
	"strings"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// signIn handles sign-in and sign-out. If the client's IP address has exceeded its page limit, the form is
// still shown, but without looking up the visitor or the app that started the sign-in. So nobody can block
// sign-in for others who share the IP address (behaviour: sign-in#known-browsers).
type signIn struct {
	credential.Forms
	auth  authv1.SessionServiceClient
	oauth authv1.OAuthServiceClient
}

type signInView struct {
	// Return is the path to which the browser goes afterwards.
	Return string
	// App is the app whose consent page Return leads to, or nil if it leads elsewhere.
	App *shell.App
	// Invited reports whether Return leads to an invitation to a developer account.
	Invited bool
	// Email is the email address that the person has already entered.
	Email    string
	Passkeys credential.Offer
	// PasskeyFirst reports whether the passkey button comes before the password.
	PasskeyFirst bool
}

// form shows the form, or redirects a signed-in person to the return path.
func (s signIn) form(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	back := s.ReturnPath(r.URL.Query().Get(shell.ReturnField))
	if s.Charge(r) == nil {
		_, known, err := s.Sessions.LookUp(r)
		if err != nil {
			return err
		}
		if known {
			web.SeeOther(w, back)
			return nil
		}
	}
	notice, err := s.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusOK, web.View{Notice: notice}, signInView{Return: back})
}

func (s signIn) show(w http.ResponseWriter, r *http.Request, status int, v web.View, data signInView) error {
	v.CSRF = s.FormToken(w, r)
	w.Header().Set(web.PolicyHeader, credential.Policy)
	data.App, data.Invited = s.appBehind(r, data.Return)
	data.Passkeys = s.Offer(r)
	data.PasskeyFirst = data.Passkeys.On && s.prefersPasskey(r)
	v.Data = data
	var err error
	if v.Title, err = s.Language(r).Text("signin.title"); err != nil {
		return err
	}
	return s.Render(w, r, status, "signin", v)
}

// appBehind returns the app whose request is waiting for the sign-in, or nil if there is none. It also
// reports whether the app is the console with an invitation. It ignores errors in the request, because the
// consent page reports them.
func (s signIn) appBehind(r *http.Request, back string) (app *shell.App, invited bool) {
	u, err := url.Parse(back)
	if err != nil || !shell.IsConsent(u.Path) || s.Charge(r) != nil {
		return nil, false
	}
	resp, err := shell.ReadAuthorization(u).Check(r.Context(), s.oauth)
	if err != nil || resp.GetApp().GetName() == "" {
		return nil, false
	}
	v := shell.AppOf(resp.GetApp())
	return &v, resp.GetPublisherOwn() && u.Query().Has(authorization.InvitedField)
}

// submit opens a session. The same call ends the browser's previous session, so a session that an attacker
// has planted in the browser never gains access to the account.
func (s signIn) submit(w http.ResponseWriter, r *http.Request) error {
	email, password := strings.TrimSpace(r.PostForm.Get("email")), r.PostForm.Get("password")
	data := signInView{Return: s.PostedReturn(r), Email: email}
	faults, err := s.Faults(r, shell.At("email", emailFault(email)), shell.At("password", passwordFault(password)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return s.show(w, r, http.StatusUnprocessableEntity, web.View{Faults: faults}, data)
	}
	known, begun := s.Device(r), s.Clock.Now()
	resp, err := s.auth.SignIn(r.Context(), &authv1.SignInRequest{
		Email: email, Password: password, ClientIp: s.ClientIP(r), PreviousSessionToken: s.SessionToken(r),
		DeviceToken: known.Token, DeviceSince: known.Since(), Browser: credential.BrowserOf(r),
		Language: s.Language(r).Tag(),
	})
	if err != nil {
		s.NoteFailure(w, known, begun, err)
		return s.refuse(w, r, data, err)
	}
	s.open(w, resp)
	if s.prefersPasskey(r) {
		s.ClearSealed(w, wayCookie)
	}
	web.SeeOther(w, data.Return)
	return nil
}

// emailFault returns the message key for an invalid email address, or "" if it may be valid.
func emailFault(email string) string {
	if email == "" {
		return "signin.error.email_missing"
	}
	if _, ok := emailaddress.Parse(email); !ok {
		return "signin.error.email_form"
	}
	return ""
}

// passwordFault returns the message key for an invalid password, or "" if it may be valid.
func passwordFault(password string) string {
	switch {
	case password == "":
		return "signin.error.password_missing"
	case len(password) > credential.MaxPassword:
		return "signin.error.failed"
	}
	return ""
}

// refuse shows the form again with the reason. The reason is the same for a wrong password and for an
// unknown email address.
func (s signIn) refuse(w http.ResponseWriter, r *http.Request, data signInView, err error) error {
	var fault web.Fault
	var faultErr error
	status := http.StatusUnprocessableEntity
	switch e, _ := errs.As(err); {
	case errs.HasCode(err, credential.CodeFailed):
		fault, faultErr = s.Fault(r, "password", "signin.error.failed")
	case errs.HasCode(err, shell.CodeSlowed):
		status = http.StatusTooManyRequests
		fault, faultErr = s.Waits(w, r, "email", "signin.error.slowed", e.RetryAfter)
	case errs.HasCode(err, credential.CodeBusy):
		status = http.StatusServiceUnavailable
		fault, faultErr = s.Waits(w, r, "email", "signin.error.busy", e.RetryAfter)
	default:
		return err
	}
	if faultErr != nil {
		return faultErr
	}
	return s.show(w, r, status, web.View{Faults: []web.Fault{fault}}, data)
}

// showForm shows a form that can be used without a session. The page may run the site's own scripts, which
// can reveal a typed password and use passkeys.
func (s signIn) showForm(w http.ResponseWriter, r *http.Request, status int, page, title string, faults []web.Fault, data any) error {
	web.Personal(w.Header())
	w.Header().Set(web.PolicyHeader, credential.Policy)
	v := web.View{CSRF: s.FormToken(w, r), Faults: faults, Data: data}
	var err error
	if v.Title, err = s.Language(r).Text(title); err != nil {
		return err
	}
	return s.Render(w, r, status, page, v)
}

// open sets the session and device cookies.
func (s signIn) open(w http.ResponseWriter, resp *authv1.SignInResponse) {
	s.OpenSession(w, resp.GetSessionToken(), resp.GetExpiresAt().AsTime().Sub(s.Clock.Now()))
	s.KeepDevice(w, resp)
	s.EndForm(w)
	s.ClearSealed(w, emailedCookie)
}

// signOut ends the session. The return path is for people who want to continue with a different account.
func (s signIn) signOut(w http.ResponseWriter, r *http.Request) error {
	back := s.PostedReturn(r)
	if _, err := s.auth.SignOut(r.Context(), &authv1.SignOutRequest{SessionToken: s.SessionToken(r)}); err != nil {
		return err
	}
	return s.SignedOut(w, "notice.signed_out", back)
}
