package entry

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	resetPath = "/reset"
	// resetSentPath is the path of the page that confirms that an email was sent, whether or not the address
	// has an account.
	resetSentPath = "/reset/sent"
)

// reset serves the pages for resetting a forgotten password (behaviour: accounts#a-forgotten-password).
type reset struct {
	entry signIn
	auth  authv1.PasswordServiceClient
}

// form asks for the email address.
func (s reset) form(w http.ResponseWriter, r *http.Request) error {
	data := signInView{Return: s.entry.ReturnPath(r.URL.Query().Get(shell.ReturnField))}
	_, data.Email = s.entry.typedBefore(r)
	return s.show(w, r, http.StatusOK, nil, data)
}

func (s reset) show(w http.ResponseWriter, r *http.Request, status int, faults []web.Fault, data signInView) error {
	return s.entry.showForm(w, r, status, "reset", "reset.title", faults, data)
}

// submit requests a reset link. The response does not depend on whether the email address has an account.
func (s reset) submit(w http.ResponseWriter, r *http.Request) error {
	data := signInView{Return: s.entry.PostedReturn(r), Email: strings.TrimSpace(r.PostForm.Get("email"))}
	faults, err := s.entry.Faults(r, shell.At("email", emailFault(data.Email)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return s.show(w, r, http.StatusUnprocessableEntity, faults, data)
	}
	_, err = s.auth.StartPasswordReset(r.Context(), &authv1.StartPasswordResetRequest{
		Email: data.Email, Language: s.entry.Language(r).Tag(), ClientIp: s.entry.ClientIP(r), DeviceToken: s.entry.Device(r).Token,
	})
	if err != nil {
		status, faults, err := s.entry.Refusal(w, r, err, nil)
		if err != nil {
			return err
		}
		return s.show(w, r, status, faults, data)
	}
	s.entry.keepReturn(w, data.Return)
	s.entry.keepEmailed(w, "", data.Email, "")
	web.SeeOther(w, resetSentPath)
	return nil
}

func (s reset) sent(w http.ResponseWriter, r *http.Request) error {
	return s.entry.showSent(w, r, "resetsent", resetPath)
}

// choose shows the page to which the link leads. It changes nothing, because programs such as mail scanners
// also open links in emails.
func (s reset) choose(w http.ResponseWriter, r *http.Request) error {
	return s.showChoose(w, r, http.StatusOK, nil, r.URL.Query().Get(tokenField))
}

func (s reset) showChoose(w http.ResponseWriter, r *http.Request, status int, faults []web.Fault, token string) error {
	resp, err := s.auth.GetPasswordReset(r.Context(), &authv1.GetPasswordResetRequest{Token: token})
	if err != nil {
		return s.entry.deadLink(w, r, err, resetPath)
	}
	return s.entry.showForm(w, r, status, "resetchoose", "reset.choose.title", faults, confirmView{Token: token, Email: resp.GetEmail()})
}

// replace sets the new password. The person has to sign in with it afterwards, so brief access to the
// mailbox does not open a session.
func (s reset) replace(w http.ResponseWriter, r *http.Request) error {
	token, password := r.PostForm.Get(tokenField), r.PostForm.Get("password")
	faults, err := s.entry.Faults(r, shell.At("password", credential.NewPasswordFault(password)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return s.showChoose(w, r, http.StatusUnprocessableEntity, faults, token)
	}
	_, err = s.auth.ResetPassword(r.Context(), &authv1.ResetPasswordRequest{
		Token: token, Password: password, ClientIp: s.entry.ClientIP(r), Language: s.entry.Language(r).Tag(),
		Browser: credential.BrowserOf(r),
	})
	if err != nil {
		status, faults, err := s.entry.Refusal(w, r, err, map[string]shell.FieldFault{"password": shell.At("password", "password.error.common")})
		if err != nil {
			return s.entry.deadLink(w, r, err, resetPath)
		}
		return s.showChoose(w, r, status, faults, token)
	}
	s.entry.ClearSealed(w, emailedCookie)
	s.entry.Notify(w, "notice.password_changed", "")
	web.SeeOther(w, shell.SignInTo(s.entry.takeReturn(w, r)))
	return nil
}
