package pages

import (
	"net/http"
	"unicode/utf8"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// minPassword is the fewest characters of a new password
// (behaviour: sign-in#password-rules).
const minPassword = 10

// showForm answers with a form for people who need no session. Its page may run the site's
// own scripts, which show what is typed into a password field, and use passkeys.
func (s signIn) showForm(w http.ResponseWriter, r *http.Request, status int, page, title string, faults []web.Fault, data any) error {
	web.Personal(w.Header())
	w.Header().Set(web.PolicyHeader, passkeyPolicy)
	v := web.View{CSRF: s.site.FormToken(w, r), Faults: faults, Data: data}
	var err error
	if v.Title, err = s.site.Language(r).Text(title); err != nil {
		return err
	}
	return s.site.Render(w, r, status, page, v)
}

// open gives the browser its session and its device cookie.
func (s signIn) open(w http.ResponseWriter, resp *authv1.SignInResponse) {
	s.site.OpenSession(w, resp.GetSessionToken(), resp.GetExpiresAt().AsTime().Sub(s.clock.Now()))
	s.keepDevice(w, resp)
	s.site.EndForm(w)
	s.site.ClearSealed(w, emailedCookie)
}

// refusal turns an error of auth into the status and the faults with which the form is shown
// again. fields are the fields that auth may refuse. Another error stays one.
func (s signIn) refusal(w http.ResponseWriter, r *http.Request, err error, fields map[string]shell.FieldFault) (int, []web.Fault, error) {
	e, _ := errs.As(err)
	first := "password"
	if fields == nil {
		first = "email"
	}
	switch {
	case errs.HasCode(err, shell.CodeSlowed):
		fault, err := s.site.Waits(w, r, first, "entry.error.slowed", e.RetryAfter)
		return http.StatusTooManyRequests, []web.Fault{fault}, err
	case errs.HasCode(err, codeBusy):
		fault, err := s.site.Waits(w, r, first, "entry.error.busy", e.RetryAfter)
		return http.StatusServiceUnavailable, []web.Fault{fault}, err
	case errs.KindOf(err) == errs.Invalid || errs.HasCode(err, codeWrong):
		if known, ok := fields[e.Field()]; ok {
			faults, err := s.site.Faults(r, known)
			return http.StatusUnprocessableEntity, faults, err
		}
	}
	return 0, nil, err
}

// newPasswordFault is the key of the message about a password that cannot be set, "" if auth
// decides.
func newPasswordFault(password string) string {
	switch {
	case utf8.RuneCountInString(password) < minPassword:
		return "password.error.short"
	case len(password) > maxPassword:
		return "password.error.long"
	}
	return ""
}
