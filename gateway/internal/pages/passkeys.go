package pages

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// passkeyNewPath adds a passkey. The browser begins a ceremony at passkeyStartPath.
	passkeyNewPath   = "/account/passkeys/new"
	passkeyStartPath = "/account/passkeys/start"
	// passkeyRenamePath gives a passkey another name.
	passkeyRenamePath = "/account/passkeys/{id}/rename"
	// passkeyRemovePath asks whether to remove a passkey, and removes it;
	// passwordRemovePath does so with the password.
	passkeyRemovePath  = "/account/passkeys/{id}/remove"
	passwordRemovePath = "/account/password/remove"
	// passkeyField is the control of the messages about a passkey.
	passkeyField = "passkey"
	// maxPasskeyName is the longest name of a passkey in characters.
	maxPasskeyName = 100
)

// passkeyOffer says whether passkeys can be used where the browser is
// (behaviour: accounts#host-name-of-passkeys).
type passkeyOffer struct {
	On bool
	// Elsewhere is the same page at an address at which they can, "" for none.
	Elsewhere string
	// Site is that address without the page, which may hold a long request of an app.
	Site string
}

// offer says whether passkeys can be used at the address of a request.
func (s signIn) offer(r *http.Request) passkeyOffer {
	switch {
	case s.party.Serves(r.Host):
		return passkeyOffer{On: true}
	case s.party.ID == "":
		return passkeyOffer{}
	case r.Method == http.MethodPost: // the form is not at the other address
		return passkeyOffer{Elsewhere: s.party.Origin + s.site.FormBehind(r), Site: s.party.Origin}
	default:
		return passkeyOffer{Elsewhere: s.party.Origin + r.URL.RequestURI(), Site: s.party.Origin}
	}
}

// passkeyPolicy is the policy of pages that make or use a passkey: their script asks for the
// challenge (behaviour: pages#scripts).
var passkeyPolicy = web.Policy{Scripts: true, Connect: true}.String()

// passkeyPages are the ways in to a person's own account.
type passkeyPages struct {
	entry signIn
	auth  authv1.PasskeyServiceClient
	// console is the address of the developer console; no trailing slash.
	console string
}

// passkeyView is a passkey in the list of the account.
type passkeyView struct {
	ID, Name string
	Created  time.Time
	// Used is nil before the first use.
	Used *time.Time
}

// passkeysView is the part of the account that is about passkeys.
type passkeysView struct {
	Offer    passkeyOffer
	Passkeys []passkeyView
	// HasPassword is false for an account that is entered by passkeys alone.
	HasPassword bool
}

// view reads what the account shows of passkeys.
func (p passkeyPages) view(r *http.Request, who shell.Person) (passkeysView, error) {
	listed, err := p.auth.ListPasskeys(r.Context(), &authv1.ListPasskeysRequest{SessionToken: who.Token})
	if err != nil {
		return passkeysView{}, err
	}
	v := passkeysView{Offer: p.entry.offer(r), HasPassword: listed.GetHasPassword()}
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

// proven lets only people pass who have proven to be there lately. Others prove it first, and
// come back (behaviour: accounts#re-authentication).
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

// newKeyView is the own part of the page that adds a passkey.
type newKeyView struct {
	Offer passkeyOffer
	Name  string
}

// form shows the form of a new passkey.
func (p passkeyPages) form(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	name, err := p.entry.suggestedName(r)
	if err != nil {
		return err
	}
	return p.showForm(w, r, http.StatusOK, who, nil, newKeyView{Name: name})
}

func (p passkeyPages) showForm(w http.ResponseWriter, r *http.Request, status int, who shell.Person, faults []web.Fault, data newKeyView) error {
	data.Offer = p.entry.offer(r)
	return p.show(w, r, status, who, "passkeynew", "passkey.new.title", faults, data)
}

// show answers with a page of the ways in.
func (p passkeyPages) show(w http.ResponseWriter, r *http.Request, status int, who shell.Person, page, title string, faults []web.Fault, data any) error {
	w.Header().Set(web.PolicyHeader, passkeyPolicy)
	return p.draw(w, r, status, who, page, title, faults, data)
}

func (p passkeyPages) draw(w http.ResponseWriter, r *http.Request, status int, who shell.Person, page, title string, faults []web.Fault, data any) error {
	v := web.View{Faults: faults, Data: data}
	var err error
	if v.Title, err = p.entry.site.Language(r).Text(title); err != nil {
		return err
	}
	p.entry.site.Identify(&v, who)
	return p.entry.site.Render(w, r, status, page, v)
}

// suggestedName is what a new passkey is called unless its person says: the browser in which
// it is made.
func (s signIn) suggestedName(r *http.Request) (string, error) {
	l, b := s.site.Language(r), browserOf(r.UserAgent())
	if b.GetName() == "" || b.GetSystem() == "" {
		return l.Text("passkey.name.default")
	}
	return l.Text("passkey.name.browser", "browser", b.GetName(), "system", b.GetSystem())
}

// start begins a ceremony of a session for the script of the page.
func (p passkeyPages) start(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.entry.startCeremony(w, r, authv1.CeremonyPurpose_CEREMONY_PURPOSE_ADD, who.Token)
}

// startCeremony begins a ceremony and answers with what the browser needs, as JSON.
func (s signIn) startCeremony(w http.ResponseWriter, r *http.Request, purpose authv1.CeremonyPurpose, boundTo string) error {
	resp, err := s.keys.StartCeremony(r.Context(), &authv1.StartCeremonyRequest{Purpose: purpose, BoundTo: boundTo})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(resp.GetOptions()) // the client is gone if this fails
	return nil
}

// add adds the passkey that the browser has made.
func (p passkeyPages) add(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	data := newKeyView{Name: pasted.Line(r.PostForm.Get("name"))}
	faults, err := p.entry.site.Faults(r, shell.At("name", passkeyNameFault(data.Name)), shell.At(passkeyField, answerFault(r)))
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return p.showForm(w, r, http.StatusUnprocessableEntity, who, faults, data)
	}
	_, err = p.auth.AddPasskey(r.Context(), &authv1.AddPasskeyRequest{
		SessionToken: who.Token, Name: data.Name, Credential: []byte(r.PostForm.Get("credential")),
	})
	if refused := newPasskeyRefusal(err); refused.Key != "" {
		faults, err := p.entry.site.Faults(r, refused)
		if err != nil {
			return err
		}
		return p.showForm(w, r, http.StatusUnprocessableEntity, who, faults, data)
	}
	if err != nil {
		return err
	}
	p.entry.site.Notify(w, "notice.passkey_added", "")
	web.SeeOther(w, shell.AccountPath)
	return nil
}

// answerFault is the key of the message about a form without the answer of the browser, which
// only a script fills in.
func answerFault(r *http.Request) string {
	if r.PostForm.Get("credential") == "" {
		return "passkey.error.no_script"
	}
	return ""
}

// passkeyNameFault is the key of the message about a name that cannot be right, "" if it can.
func passkeyNameFault(name string) string {
	if name == "" || len([]rune(name)) > maxPasskeyName {
		return "passkey.error.name"
	}
	return ""
}

// passkeyRefusals are the codes that are shown beside the control of a passkey.
var passkeyRefusals = map[string]string{
	"PASSKEY_REFUSED": "passkey.error.refused", "PASSKEY_UNKNOWN": "passkey.error.unknown", "CEREMONY_OVER": "passkey.error.over",
	"PASSKEY_EXISTS": "passkey.error.exists", "PASSKEY_LIMIT": "passkey.error.limit", "PASSKEYS_OFF": "passkey.error.off",
}

// passkeyRefusal is the key of the message about an answer that auth has refused, "" for
// another error or none.
func passkeyRefusal(err error) string {
	e, _ := errs.As(err)
	if e == nil {
		return ""
	}
	return passkeyRefusals[e.Code]
}

// newPasskeyRefusal is what auth has refused of a passkey that is added, with an empty key for
// another error or none.
func newPasskeyRefusal(err error) shell.FieldFault {
	if refusesName(err) {
		return shell.At("name", "passkey.error.name")
	}
	return shell.At(passkeyField, passkeyRefusal(err))
}

// refusesName reports whether auth has refused the name of a passkey, for example one with a
// character that turns the direction of writing.
func refusesName(err error) bool {
	e, _ := errs.As(err)
	return e != nil && e.Kind == errs.Invalid && e.Field() == "name"
}

// askRemove asks whether to remove a passkey.
func (p passkeyPages) askRemove(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.about(w, r, who, func(key passkeyView) error {
		return p.show(w, r, http.StatusOK, who, "passkeyremove", "passkey.remove.title", nil, key)
	})
}

// about shows a page about the passkey of the path.
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
	web.SeeOther(w, shell.AccountPath) // it was removed in another tab
	return nil
}

// remove removes a passkey.
func (p passkeyPages) remove(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	_, err := p.auth.RemovePasskey(r.Context(), &authv1.RemovePasskeyRequest{SessionToken: who.Token, Id: r.PathValue("id")})
	return p.removed(w, err, "notice.passkey_removed")
}

// askRemovePassword asks whether to remove the password.
func (p passkeyPages) askRemovePassword(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.show(w, r, http.StatusOK, who, "passwordremove", "password.remove.title", nil, nil)
}

// removePassword removes the password.
func (p passkeyPages) removePassword(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	_, err := p.auth.RemovePassword(r.Context(), &authv1.RemovePasswordRequest{SessionToken: who.Token})
	return p.removed(w, err, "notice.password_removed")
}

func (p passkeyPages) removed(w http.ResponseWriter, err error, notice string) error {
	switch {
	case errs.HasCode(err, codeLastWayIn):
		notice = "refused.last_way_in"
	case err != nil:
		return err
	}
	p.entry.site.Notify(w, notice, "")
	web.SeeOther(w, shell.AccountPath)
	return nil
}
