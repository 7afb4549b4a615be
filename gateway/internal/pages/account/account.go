package account

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/gateway/internal/web/i18n"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type accountView struct {
	EmailVerified bool
	Sessions      []sessionView
	// Keys are the passkeys and the password.
	Keys passkeysView
	// Languages are the languages in which the pages are available. Language is the tag of the account's
	// language or, if Saved is false, of the page's language.
	Languages []*i18n.Language
	Language  string
	Saved     bool
	// Proven reports whether the person has re-authenticated recently. Confirm is the URL of the page for
	// re-authentication.
	Proven  bool
	Confirm string
}

// sessionView is a session in the list.
type sessionView struct {
	ID string
	// Browser and System are names. Country is the code of the country from which the session was last used.
	// Each is "" if unknown.
	Browser, System, Country string
	Created, Used            time.Time
	// Current reports whether this is the session of the current browser. AtConsole reports whether it also
	// signs the person in to the developer console.
	Current, AtConsole bool
}

// accountPages serves the page for a person's own account
// (behaviour: accounts#changing-the-password, accounts#sessions).
type accountPages struct {
	passkeyPages
	sessions  authv1.SessionServiceClient
	passwords authv1.PasswordServiceClient
}

// show shows the account page.
func (p accountPages) show(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	notice, err := p.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	return p.draw(w, r, http.StatusOK, who, web.View{Notice: notice})
}

func (p accountPages) draw(w http.ResponseWriter, r *http.Request, status int, who shell.Person, v web.View) error {
	w.Header().Set(web.PolicyHeader, credential.Policy)
	listed, err := p.sessions.ListSessions(r.Context(), &authv1.ListSessionsRequest{SessionToken: who.Token})
	if err != nil {
		return err
	}
	data := accountView{EmailVerified: who.GetEmailVerified(), Languages: p.Languages(), Proven: who.Proven, Confirm: confirmTo(shell.AccountPath)}
	data.Language, data.Saved = p.languageOf(r, who)
	for _, one := range listed.GetSessions() {
		data.Sessions = append(data.Sessions, sessionView{
			ID: one.GetId(), Browser: one.GetBrowser().GetName(), System: one.GetBrowser().GetSystem(), Country: one.GetCountry(),
			Created: one.GetCreatedAt().AsTime(), Used: one.GetUsedAt().AsTime(), Current: one.GetCurrent(), AtConsole: one.GetAtConsole(),
		})
	}
	if data.Keys, err = p.view(r, who); err != nil {
		return err
	}
	v.Data = data
	return p.Show(w, r, who, status, "account", v, "account.title")
}

// languageOf returns the account's language and true, or the page's language and false if the account has
// none.
func (p accountPages) languageOf(r *http.Request, who shell.Person) (tag string, saved bool) {
	if l, ok := p.LanguageNamed(who.Language()); ok {
		return l.Tag(), true
	}
	return p.Language(r).Tag(), false
}

// setLanguage saves the language of the account. It clears the language previously chosen in this browser, so
// that the new one applies here too (behaviour: pages#languages).
func (p accountPages) setLanguage(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	l, ok := p.LanguageNamed(r.PostForm.Get("language"))
	if !ok {
		return web.ErrMalformed
	}
	if _, err := p.sessions.SetLanguage(r.Context(), &authv1.SetLanguageRequest{SessionToken: who.Token, Language: l.Tag()}); err != nil {
		return err
	}
	p.ForgetLanguage(w)
	return p.GoTo(w, shell.AccountPath, "notice.language_set", "")
}

// changePassword sets the password of a person who has re-authenticated recently or who enters the current
// password.
func (p accountPages) changePassword(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	current, fresh := r.PostForm.Get("current_password"), r.PostForm.Get("new_password")
	if current == "" && !who.Proven {
		ways, err := p.view(r, who)
		if err != nil {
			return err
		}
		if !ways.HasPassword {
			web.SeeOther(w, confirmTo(shell.AccountPath))
			return nil
		}
	}
	currentKey := currentFault(current)
	if current == "" && who.Proven {
		currentKey = ""
	}
	faults, err := p.Faults(r, shell.At("current_password", currentKey), shell.At("new_password", credential.NewPasswordFault(fresh)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return p.draw(w, r, http.StatusUnprocessableEntity, who, web.View{Faults: faults})
	}
	known, begun := p.Device(r), p.Clock.Now()
	_, err = p.passwords.ChangePassword(r.Context(), &authv1.ChangePasswordRequest{
		SessionToken: who.Token, CurrentPassword: current, NewPassword: fresh, ClientIp: p.ClientIP(r),
		DeviceToken: known.Token, DeviceSince: known.Since(), Language: p.Language(r).Tag(),
	})
	if errs.HasCode(err, codeProof) { // the proof has expired or was used for a different change
		web.SeeOther(w, confirmTo(shell.AccountPath))
		return nil
	}
	if err != nil {
		p.NoteFailure(w, known, begun, err)
		status, faults, err := p.Refusal(w, r, err, map[string]shell.FieldFault{
			"current_password": shell.At("current_password", "password.error.wrong"), "new_password": shell.At("new_password", "password.error.common"),
		})
		if err != nil {
			return err
		}
		return p.draw(w, r, status, who, web.View{Faults: faults})
	}
	return p.GoTo(w, shell.AccountPath, "notice.password_changed", "")
}

func currentFault(password string) string {
	switch {
	case password == "":
		return "signin.error.password_missing"
	case len(password) > credential.MaxPassword:
		return "password.error.wrong"
	}
	return ""
}

// endSession ends a session. If it is this browser's session, the person is signed out.
func (p accountPages) endSession(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	if _, err := p.sessions.EndSession(r.Context(), &authv1.EndSessionRequest{SessionToken: who.Token, Id: r.PathValue("id")}); err != nil {
		return err
	}
	if _, live, err := p.Sessions.LookUp(r); err != nil {
		return err
	} else if !live {
		return p.SignedOut(w, "notice.signed_out", shell.AccountPath)
	}
	return p.GoTo(w, shell.AccountPath, "notice.session_ended", "")
}

// endAllSessions ends all sessions, including this browser's.
func (p accountPages) endAllSessions(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	if _, err := p.sessions.EndAllSessions(r.Context(), &authv1.EndAllSessionsRequest{SessionToken: who.Token}); err != nil {
		return err
	}
	return p.SignedOut(w, "notice.signed_out_everywhere", shell.AccountPath)
}
