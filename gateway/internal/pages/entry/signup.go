package entry

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	signUpPath = "/sign-up"
	// signUpSentPath is the path of the page that confirms that an email was sent, whether or not the address
	// has an account.
	signUpSentPath = "/sign-up/sent"
	// tokenField is the name under which query strings and forms contain the token of an emailed link.
	tokenField = "token"
	// maxName is the maximum length of a name in characters.
	maxName = 200
	// profileWithin limits how long the person waits for the profile to be created.
	profileWithin = 2 * time.Second
)

// signUp serves the pages for creating an account (behaviour: accounts#creating-an-account).
type signUp struct {
	// entry handles the sign-in, because the last step of a sign-up also signs the person in.
	entry    signIn
	auth     authv1.SignUpServiceClient
	profiles candidatev1.ProfileServiceClient
	log      *slog.Logger
}

type signUpView struct {
	// Return is the path to which the browser goes after the account has been created.
	Return string
	// Invited has the same meaning as on the sign-in page.
	Invited bool
	// Name and Email are the values that the person has already entered.
	Name, Email string
}

type confirmView struct {
	Token, Email string
	// Passkeys reports whether a passkey can be created instead of a password. PasskeyName is the name of a new
	// passkey.
	Passkeys    credential.Offer
	PasskeyName string
}

// form shows the form for a new account.
func (s signUp) form(w http.ResponseWriter, r *http.Request) error {
	data := signUpView{Return: s.entry.ReturnPath(r.URL.Query().Get(shell.ReturnField))}
	data.Name, data.Email = s.entry.typedBefore(r)
	return s.show(w, r, http.StatusOK, nil, data)
}

func (s signUp) show(w http.ResponseWriter, r *http.Request, status int, faults []web.Fault, data signUpView) error {
	_, data.Invited = s.entry.appBehind(r, data.Return)
	return s.entry.showForm(w, r, status, "signup", "signup.title", faults, data)
}

// submit starts a sign-up. The response does not depend on whether the email address already has an account.
func (s signUp) submit(w http.ResponseWriter, r *http.Request) error {
	if r.PostForm.Has(againField) {
		return s.sendAgain(w, r)
	}
	data := signUpView{
		Return: s.entry.PostedReturn(r), Name: pasted.Line(r.PostForm.Get("name")), Email: strings.TrimSpace(r.PostForm.Get("email")),
	}
	password := r.PostForm.Get("password")
	faults, err := s.entry.Faults(r, shell.At("name", nameFault(data.Name)), shell.At("email", emailFault(data.Email)),
		shell.At("password", credential.NewPasswordFault(password)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return s.show(w, r, http.StatusUnprocessableEntity, faults, data)
	}
	resp, err := s.auth.StartSignUp(r.Context(), &authv1.StartSignUpRequest{
		Name: data.Name, Email: data.Email, Password: password, Language: s.entry.Language(r).Tag(),
		ClientIp: s.entry.ClientIP(r),
	})
	return s.started(w, r, data, resp, err)
}

// sendAgain sends a new link for the sign-up that this browser requested, without asking for the password.
// The response does not depend on whether the sign-up is still pending.
func (s signUp) sendAgain(w http.ResponseWriter, r *http.Request) error {
	data := signUpView{Return: s.entry.PostedReturn(r)}
	var pending string
	data.Name, data.Email, pending = s.entry.emailed(r)
	if pending == "" {
		return s.show(w, r, http.StatusOK, nil, data)
	}
	resp, err := s.auth.StartSignUp(r.Context(), &authv1.StartSignUpRequest{
		Email: data.Email, Pending: pending, Language: s.entry.Language(r).Tag(), ClientIp: s.entry.ClientIP(r),
	})
	return s.started(w, r, data, resp, err)
}

// started redirects after a link was sent, or shows the form with its errors.
func (s signUp) started(w http.ResponseWriter, r *http.Request, data signUpView, resp *authv1.StartSignUpResponse, err error) error {
	if err != nil {
		status, faults, err := s.entry.Refusal(w, r, err, map[string]shell.FieldFault{
			"name": shell.At("name", "signup.error.name_form"), "email": shell.At("email", "signin.error.email_form"), "password": shell.At("password", "password.error.common"),
		})
		if err != nil {
			return err
		}
		return s.show(w, r, status, faults, data)
	}
	s.entry.keepReturn(w, data.Return)
	s.entry.keepEmailed(w, data.Name, data.Email, resp.GetPending())
	web.SeeOther(w, signUpSentPath)
	return nil
}

func (s signUp) sent(w http.ResponseWriter, r *http.Request) error {
	return s.entry.showSent(w, r, "signupsent", signUpPath)
}

// confirm shows the page to which the link leads. It changes nothing, because programs such as mail scanners
// also open links in emails.
func (s signUp) confirm(w http.ResponseWriter, r *http.Request) error {
	return s.showConfirm(w, r, http.StatusOK, nil, r.URL.Query().Get(tokenField))
}

func (s signUp) showConfirm(w http.ResponseWriter, r *http.Request, status int, faults []web.Fault, token string) error {
	resp, err := s.auth.GetSignUp(r.Context(), &authv1.GetSignUpRequest{Token: token})
	if err != nil {
		return s.entry.deadLink(w, r, err, signUpPath)
	}
	data := confirmView{Token: token, Email: resp.GetEmail(), Passkeys: s.entry.Offer(r)}
	if data.PasskeyName, err = s.entry.SuggestedName(r); err != nil {
		return err
	}
	return s.entry.showForm(w, r, status, "signupconfirm", "signup.confirm.title", faults, data)
}

// complete creates the account and opens a session, as a sign-in does.
func (s signUp) complete(w http.ResponseWriter, r *http.Request) error {
	if r.PostForm.Get("credential") != "" {
		return s.completeWithPasskey(w, r)
	}
	token, password := r.PostForm.Get(tokenField), r.PostForm.Get("password")
	faults, err := s.entry.Faults(r, shell.At("password", passwordFault(password)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return s.showConfirm(w, r, http.StatusUnprocessableEntity, faults, token)
	}
	known, begun := s.entry.Device(r), s.entry.Clock.Now()
	resp, err := s.auth.CompleteSignUp(r.Context(), &authv1.CompleteSignUpRequest{
		Token: token, Password: password, ClientIp: s.entry.ClientIP(r), PreviousSessionToken: s.entry.SessionToken(r),
		DeviceToken: known.Token, DeviceSince: known.Since(), Browser: credential.BrowserOf(r),
		Language: s.entry.Language(r).Tag(),
	})
	if err != nil {
		s.entry.NoteFailure(w, known, begun, err)
		if errs.HasCode(err, credential.CodeFailed) {
			faults, err := s.entry.Faults(r, shell.At("password", "signup.confirm.error"))
			if err != nil {
				return err
			}
			return s.showConfirm(w, r, http.StatusUnprocessableEntity, faults, token)
		}
		status, faults, err := s.entry.Refusal(w, r, err, nil)
		if err != nil {
			return s.entry.deadLink(w, r, err, signUpPath)
		}
		return s.showConfirm(w, r, status, faults, token)
	}
	s.entry.open(w, resp.GetSession())
	s.createProfile(r, resp.GetSession().GetSessionToken())
	web.SeeOther(w, s.entry.takeReturn(w, r))
	return nil
}

// createProfile has the candidate service create the profile before the next page needs it. If this fails,
// the candidate service creates the profile a few seconds later.
func (s signUp) createProfile(r *http.Request, session string) {
	ctx, cancel := context.WithTimeout(r.Context(), profileWithin)
	defer cancel()
	if _, err := s.profiles.CreateOwnProfile(ctx, &candidatev1.CreateOwnProfileRequest{SessionToken: session}); err != nil {
		s.log.WarnContext(r.Context(), "a new profile waits for candidate", "request_id", grpcx.RequestID(r.Context()), "error", err)
	}
}

// linkTo returns the URL for a path with the token of an emailed link.
func linkTo(path, token string) string {
	return path + "?" + url.Values{tokenField: {token}}.Encode()
}

// nameFault returns the message key for an invalid name, or "" if it may be valid.
func nameFault(name string) string {
	switch {
	case name == "":
		return "signup.error.name_missing"
	case len([]rune(name)) > maxName:
		return "signup.error.name_form"
	}
	return ""
}
