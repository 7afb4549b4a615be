package pages

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/relyingparty"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// maxPassword is the longest password that auth takes, in bytes (auth/v1 SignInRequest).
const maxPassword = 1024

// signIn is sign-in and its end.
type signIn struct {
	site     *shell.Shell
	auth     authv1.SessionServiceClient
	oauth    authv1.OAuthServiceClient
	clientIP func(*http.Request) string
	// limit is Config.Page. Above it the form is shown all the same, and nobody is asked
	// who the visitor is and which app waits: nobody at an address may keep others there
	// from signing in (behaviour: sign-in#known-browsers).
	limit func(*http.Request) error
	clock clock.Clock
	log   *slog.Logger
	keys  authv1.PasskeyServiceClient
	// party says for which name passkeys are made.
	party relyingparty.Party
}

// signInView is the sign-in page's own part.
type signInView struct {
	// Return is the return path, to which the browser goes afterwards.
	Return string
	// App is the app to whose consent page that leads, nil if it leads elsewhere.
	App *shell.App
	// Email is what the person has typed in already.
	Email string
	// Passkeys says whether one can be used here.
	Passkeys passkeyOffer
	// PasskeyFirst says that the passkey stands before the password.
	PasskeyFirst bool
}

// form shows the form. Who is signed in already is sent to the return path.
func (s signIn) form(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	back := s.site.ReturnPath(r.URL.Query().Get(shell.ReturnField))
	if s.limit(r) == nil {
		_, known, err := s.site.Sessions.LookUp(r)
		if err != nil {
			return err
		}
		if known {
			web.SeeOther(w, back)
			return nil
		}
	}
	notice, err := s.site.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusOK, web.View{Notice: notice}, signInView{Return: back})
}

func (s signIn) show(w http.ResponseWriter, r *http.Request, status int, v web.View, data signInView) error {
	v.CSRF = s.site.FormToken(w, r)
	w.Header().Set(web.PolicyHeader, passkeyPolicy)
	data.App, data.Passkeys = s.appBehind(r, data.Return), s.offer(r)
	data.PasskeyFirst = data.Passkeys.On && s.prefersPasskey(r)
	v.Data = data
	var err error
	if v.Title, err = s.site.Language(r).Text("signin.title"); err != nil {
		return err
	}
	return s.site.Render(w, r, status, "signin", v)
}

// appBehind names the app whose request waits behind the sign-in, nil if there is
// none. The consent page reports what may be wrong with the request.
func (s signIn) appBehind(r *http.Request, back string) *shell.App {
	u, err := url.Parse(back)
	if err != nil || !shell.IsConsent(u.Path) || s.limit(r) != nil {
		return nil
	}
	resp, err := shell.ReadAuthorization(u).Check(r.Context(), s.oauth)
	if err != nil || resp.GetApp().GetName() == "" {
		return nil
	}
	v := shell.AppOf(resp.GetApp())
	return &v
}

// submit opens a session. The session that the browser carried until then is ended in
// the same call, so that signing in never lends an account to a planted session.
func (s signIn) submit(w http.ResponseWriter, r *http.Request) error {
	email, password := strings.TrimSpace(r.PostForm.Get("email")), r.PostForm.Get("password")
	data := signInView{Return: s.site.PostedReturn(r), Email: email}
	faults, err := s.site.Faults(r, shell.At("email", emailFault(email)), shell.At("password", passwordFault(password)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return s.show(w, r, http.StatusUnprocessableEntity, web.View{Faults: faults}, data)
	}
	known, begun := s.device(r), s.clock.Now()
	resp, err := s.auth.SignIn(r.Context(), &authv1.SignInRequest{
		Email: email, Password: password, ClientIp: s.clientIP(r), PreviousSessionToken: s.site.SessionToken(r),
		DeviceToken: known.token, DeviceSince: known.sinceProto(), Browser: browserOf(r.UserAgent()),
		Language: s.site.Language(r).Tag(),
	})
	if err != nil {
		s.noteFailure(w, known, begun, err)
		return s.refuse(w, r, data, err)
	}
	s.open(w, resp)
	if s.prefersPasskey(r) {
		s.site.ClearSealed(w, wayCookie)
	}
	web.SeeOther(w, data.Return)
	return nil
}

// emailFault is the key of the message about an e-mail address that cannot be right,
// "" if it can.
func emailFault(email string) string {
	if email == "" {
		return "signin.error.email_missing"
	}
	if _, ok := emailaddress.Parse(email); !ok {
		return "signin.error.email_form"
	}
	return ""
}

// passwordFault is the key of the message about a password that cannot be right, ""
// if it can.
func passwordFault(password string) string {
	switch {
	case password == "":
		return "signin.error.password_missing"
	case len(password) > maxPassword:
		return "signin.error.failed"
	}
	return ""
}

// refuse shows the form again and says why: the same for a wrong password and an
// unknown e-mail address.
func (s signIn) refuse(w http.ResponseWriter, r *http.Request, data signInView, err error) error {
	var fault web.Fault
	var faultErr error
	status := http.StatusUnprocessableEntity
	switch e, _ := errs.As(err); {
	case errs.HasCode(err, codeFailed):
		fault, faultErr = s.site.Fault(r, "password", "signin.error.failed")
	case errs.HasCode(err, shell.CodeSlowed):
		status = http.StatusTooManyRequests
		fault, faultErr = s.site.Waits(w, r, "email", "signin.error.slowed", e.RetryAfter)
	case errs.HasCode(err, codeBusy):
		status = http.StatusServiceUnavailable
		fault, faultErr = s.site.Waits(w, r, "email", "signin.error.busy", e.RetryAfter)
	default:
		return err
	}
	if faultErr != nil {
		return faultErr
	}
	return s.show(w, r, status, web.View{Faults: []web.Fault{fault}}, data)
}
