package account

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// passkeyNewPath is the path of the form for a new passkey. The browser begins the WebAuthn ceremony at
	// passkeyStartPath.
	passkeyNewPath   = "/account/passkeys/new"
	passkeyStartPath = "/account/passkeys/start"
	// maxPasskeyName is the maximum length of a passkey's name in characters.
	maxPasskeyName = 100
)

// Error codes of the auth service. codeProof is returned for a change that requires recent re-authentication,
// codeLastWayIn for one that would remove the last sign-in method, and codeUnknownKey for a passkey that does
// not exist.
const (
	codeProof      = "PROOF_NEEDED"
	codeLastWayIn  = "LAST_WAY_IN"
	codeUnknownKey = "PASSKEY_UNKNOWN"
)

// passkeyPages serves the pages on which people manage their sign-in methods.
type passkeyPages struct {
	credential.Forms
	// console is the URL of the developer console, without a trailing slash.
	console string
}

// passkeyView is a passkey in the list of the account.
type passkeyView struct {
	ID, Name string
	Created  time.Time
	// Used is nil until the first use.
	Used *time.Time
}

// passkeysView is the section of the account page about passkeys.
type passkeysView struct {
	Offer    credential.Offer
	Passkeys []passkeyView
	// HasPassword reports whether the account has a password, rather than only passkeys.
	HasPassword bool
}

// view reads the passkey data for the account page.
func (p passkeyPages) view(r *http.Request, who shell.Person) (passkeysView, error) {
	listed, err := p.Passkeys.ListPasskeys(r.Context(), &authv1.ListPasskeysRequest{SessionToken: who.Token})
	if err != nil {
		return passkeysView{}, err
	}
	v := passkeysView{Offer: p.Offer(r), HasPassword: listed.GetHasPassword()}
	for _, one := range listed.GetPasskeys() {
		key := passkeyView{ID: one.GetId(), Name: one.GetName(), Created: one.GetCreatedAt().AsTime()}
		if one.GetUsedAt() != nil {
			used := one.GetUsedAt().AsTime()
			key.Used = &used
		}
		v.Passkeys = append(v.Passkeys, key)
	}
	return v, nil
}

// proven lets through only people who have re-authenticated recently. It sends others to do so first and then
// return (behaviour: accounts#re-authentication).
func (p passkeyPages) proven(next shell.Page) shell.Page {
	return func(w http.ResponseWriter, r *http.Request, who shell.Person) error {
		var err error
		if who.Proven {
			err = next(w, r, who)
		}
		if !who.Proven || errs.HasCode(err, codeProof) {
			web.SeeOther(w, confirmTo(afterProof(r.URL.Path)))
			return nil
		}
		return err
	}
}

type newKeyView struct {
	Offer credential.Offer
	Name  string
}

// form shows the form for a new passkey.
func (p passkeyPages) form(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	name, err := p.SuggestedName(r)
	if err != nil {
		return err
	}
	return p.showForm(w, r, http.StatusOK, who, nil, newKeyView{Name: name})
}

func (p passkeyPages) showForm(w http.ResponseWriter, r *http.Request, status int, who shell.Person, faults []web.Fault, data newKeyView) error {
	data.Offer = p.Offer(r)
	return p.show(w, r, status, who, "passkeynew", "passkey.new.title", faults, data)
}

func (p passkeyPages) show(w http.ResponseWriter, r *http.Request, status int, who shell.Person, page, title string, faults []web.Fault, data any) error {
	w.Header().Set(web.PolicyHeader, credential.Policy)
	return p.draw(w, r, status, who, page, title, faults, data)
}

func (p passkeyPages) draw(w http.ResponseWriter, r *http.Request, status int, who shell.Person, page, title string, faults []web.Fault, data any) error {
	return p.Show(w, r, who, status, page, web.View{Faults: faults, Data: data}, title)
}

// start begins a WebAuthn ceremony for the page's script.
func (p passkeyPages) start(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.StartCeremony(w, r, authv1.CeremonyPurpose_CEREMONY_PURPOSE_ADD, who.Token)
}

// add adds the passkey that the browser has created.
func (p passkeyPages) add(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	data := newKeyView{Name: pasted.Line(r.PostForm.Get("name"))}
	faults, err := p.Faults(r, shell.At("name", passkeyNameFault(data.Name)), shell.At(credential.PasskeyField, credential.AnswerFault(r)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return p.showForm(w, r, http.StatusUnprocessableEntity, who, faults, data)
	}
	_, err = p.Passkeys.AddPasskey(r.Context(), &authv1.AddPasskeyRequest{
		SessionToken: who.Token, Name: data.Name, Credential: []byte(r.PostForm.Get("credential")),
	})
	if refused := newPasskeyRefusal(err); refused.Key != "" {
		faults, err := p.Faults(r, refused)
		if err != nil {
			return err
		}
		return p.showForm(w, r, http.StatusUnprocessableEntity, who, faults, data)
	}
	if err != nil {
		return err
	}
	return p.GoTo(w, shell.AccountPath, "notice.passkey_added", "")
}

// passkeyNameFault returns the message key for an invalid name, or "" if the name may be valid.
func passkeyNameFault(name string) string {
	if name == "" || len([]rune(name)) > maxPasskeyName {
		return "passkey.error.name"
	}
	return ""
}

// newPasskeyRefusal maps an error from adding a passkey to a message. Key is "" for other errors and for nil.
func newPasskeyRefusal(err error) shell.FieldFault {
	if refusesName(err) {
		return shell.At("name", "passkey.error.name")
	}
	return shell.At(credential.PasskeyField, credential.PasskeyRefusal(err))
}

// refusesName reports whether the auth service has rejected a passkey's name, for example because of a
// character that changes the writing direction.
func refusesName(err error) bool {
	e, _ := errs.As(err)
	return e != nil && e.Kind == errs.Invalid && e.Field() == "name"
}

// askRemove asks for confirmation before a passkey is removed.
func (p passkeyPages) askRemove(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.about(w, r, who, func(key passkeyView) error {
		return p.show(w, r, http.StatusOK, who, "passkeyremove", "passkey.remove.title", nil, key)
	})
}

// about shows a page about the passkey that the URL path identifies.
func (p passkeyPages) about(w http.ResponseWriter, r *http.Request, who shell.Person, show func(passkeyView) error) error {
	v, err := p.view(r, who)
	if err != nil {
		return err
	}
	for _, key := range v.Passkeys {
		if key.ID == r.PathValue("id") {
			return show(key)
		}
	}
	web.SeeOther(w, shell.AccountPath) // it was removed in a different tab
	return nil
}

func (p passkeyPages) remove(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	_, err := p.Passkeys.RemovePasskey(r.Context(), &authv1.RemovePasskeyRequest{SessionToken: who.Token, Id: r.PathValue("id")})
	return p.removed(w, err, "notice.passkey_removed")
}

// askRemovePassword asks for confirmation before the password is removed.
func (p passkeyPages) askRemovePassword(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.show(w, r, http.StatusOK, who, "passwordremove", "password.remove.title", nil, nil)
}

func (p passkeyPages) removePassword(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	_, err := p.Passkeys.RemovePassword(r.Context(), &authv1.RemovePasswordRequest{SessionToken: who.Token})
	return p.removed(w, err, "notice.password_removed")
}

func (p passkeyPages) removed(w http.ResponseWriter, err error, notice string) error {
	switch {
	case errs.HasCode(err, codeLastWayIn):
		notice = "refused.last_way_in"
	case err != nil:
		return err
	}
	return p.GoTo(w, shell.AccountPath, notice, "")
}
