package entry

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// wayCookie records that the last sign-in in this browser used a passkey. It does not identify anyone,
	// and remains after sign-out (behaviour: accounts#passkey-button-first).
	wayCookie = "way"
	byPasskey = "passkey"
	wayLife   = 365 * 24 * time.Hour
)

// prefersPasskey reports whether the last sign-in in this browser used a passkey.
func (s signIn) prefersPasskey(r *http.Request) bool {
	way, ok := s.Sealed(r, wayCookie)
	return ok && way == byPasskey
}

// startPasskey begins a sign-in with a passkey. The ceremony is bound to the form token, which only this
// browser can send.
func (s signIn) startPasskey(w http.ResponseWriter, r *http.Request) error {
	return s.StartCeremony(w, r, authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_IN, r.PostForm.Get("csrf"))
}

// submitPasskey opens a session with a passkey, just as submit does with a password.
func (s signIn) submitPasskey(w http.ResponseWriter, r *http.Request) error {
	data := signInView{Return: s.PostedReturn(r)}
	if key := credential.AnswerFault(r); key != "" {
		return s.refusePasskey(w, r, data, key)
	}
	resp, err := s.Passkeys.SignInWithPasskey(r.Context(), &authv1.SignInWithPasskeyRequest{
		BoundTo: r.PostForm.Get("csrf"), Credential: []byte(r.PostForm.Get("credential")), ClientIp: s.ClientIP(r),
		PreviousSessionToken: s.SessionToken(r), DeviceToken: s.Device(r).Token,
		Browser: credential.BrowserOf(r), Language: s.Language(r).Tag(),
	})
	if key := credential.PasskeyRefusal(err); key != "" {
		return s.refusePasskey(w, r, data, key)
	}
	if errs.HasCode(err, shell.CodeSlowed) {
		e, _ := errs.As(err)
		fault, err := s.Waits(w, r, credential.PasskeyField, "entry.error.slowed", e.RetryAfter)
		if err != nil {
			return err
		}
		return s.show(w, r, http.StatusTooManyRequests, web.View{Faults: []web.Fault{fault}}, data)
	}
	if err != nil {
		return err
	}
	s.open(w, resp.GetSession())
	s.SetSealed(w, wayCookie, byPasskey, wayLife)
	web.SeeOther(w, data.Return)
	return nil
}

func (s signIn) refusePasskey(w http.ResponseWriter, r *http.Request, data signInView, key string) error {
	faults, err := s.Faults(r, shell.At(credential.PasskeyField, key))
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusUnprocessableEntity, web.View{Faults: faults}, data)
}

// startPasskey begins the creation of a passkey for the account to which an emailed link belongs.
func (s signUp) startPasskey(w http.ResponseWriter, r *http.Request) error {
	return s.entry.StartCeremony(w, r, authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_UP, r.PostForm.Get(tokenField))
}

// completeWithPasskey creates the account with a passkey instead of a password.
func (s signUp) completeWithPasskey(w http.ResponseWriter, r *http.Request) error {
	token := r.PostForm.Get(tokenField)
	resp, err := s.auth.CompleteSignUp(r.Context(), &authv1.CompleteSignUpRequest{
		Token: token, Passkey: []byte(r.PostForm.Get("credential")), PasskeyName: r.PostForm.Get("name"), ClientIp: s.entry.ClientIP(r),
		PreviousSessionToken: s.entry.SessionToken(r), DeviceToken: s.entry.Device(r).Token,
		Browser: credential.BrowserOf(r), Language: s.entry.Language(r).Tag(),
	})
	if key := credential.PasskeyRefusal(err); key != "" {
		faults, err := s.entry.Faults(r, shell.At(credential.PasskeyField, key))
		if err != nil {
			return err
		}
		return s.showConfirm(w, r, http.StatusUnprocessableEntity, faults, token)
	}
	if err != nil {
		return err
	}
	s.entry.open(w, resp.GetSession())
	s.createProfile(r, resp.GetSession().GetSessionToken())
	s.entry.SetSealed(w, wayCookie, byPasskey, wayLife)
	web.SeeOther(w, s.entry.takeReturn(w, r))
	return nil
}
