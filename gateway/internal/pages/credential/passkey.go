package credential

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// PasskeyField is the control of the messages about a passkey.
const PasskeyField = "passkey"

// Offer reports whether passkeys can be used at the address of a page
// (behaviour: accounts#host-name-of-passkeys).
type Offer struct {
	On bool
	// Elsewhere is the same page at an address at which they can, "" for none.
	Elsewhere string
	// Site is that address without the page, which may contain a long request of an app.
	Site string
}

// Policy is the policy of pages that make or use a passkey: their script asks for the
// challenge (behaviour: pages#scripts).
var Policy = web.Policy{Scripts: true, Connect: true}.String()

// passkeyRefusals are the codes that are shown at the control of a passkey.
var passkeyRefusals = map[string]string{
	"PASSKEY_REFUSED": "passkey.error.refused", "PASSKEY_UNKNOWN": "passkey.error.unknown", "CEREMONY_OVER": "passkey.error.over",
	"PASSKEY_EXISTS": "passkey.error.exists", "PASSKEY_LIMIT": "passkey.error.limit", "PASSKEYS_OFF": "passkey.error.off",
}

// Offer reports whether passkeys can be used at the address of a request.
func (f Forms) Offer(r *http.Request) Offer {
	switch {
	case f.Party.Serves(r.Host):
		return Offer{On: true}
	case f.Party.ID == "":
		return Offer{}
	case r.Method == http.MethodPost: // the form is not at the other address
		return Offer{Elsewhere: f.Party.Origin + f.FormBehind(r), Site: f.Party.Origin}
	default:
		return Offer{Elsewhere: f.Party.Origin + r.URL.RequestURI(), Site: f.Party.Origin}
	}
}

// SuggestedName is what a new passkey is called unless its person says: the browser in which
// it is made.
func (f Forms) SuggestedName(r *http.Request) (string, error) {
	l, b := f.Language(r), BrowserOf(r)
	if b.GetName() == "" || b.GetSystem() == "" {
		return l.Text("passkey.name.default")
	}
	return l.Text("passkey.name.browser", "browser", b.GetName(), "system", b.GetSystem())
}

// StartCeremony begins a ceremony and answers with what the browser needs, as JSON.
func (f Forms) StartCeremony(w http.ResponseWriter, r *http.Request, purpose authv1.CeremonyPurpose, boundTo string) error {
	resp, err := f.Passkeys.StartCeremony(r.Context(), &authv1.StartCeremonyRequest{Purpose: purpose, BoundTo: boundTo})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(resp.GetOptions()) // the client is gone if this fails
	return nil
}

// AnswerFault is the key of the message about a form without the answer of the browser, which
// only a script fills in.
func AnswerFault(r *http.Request) string {
	if r.PostForm.Get("credential") == "" {
		return "passkey.error.no_script"
	}
	return ""
}

// PasskeyRefusal is the key of the message about an answer that auth has refused, "" for
// another error or none.
func PasskeyRefusal(err error) string {
	e, _ := errs.As(err)
	if e == nil {
		return ""
	}
	return passkeyRefusals[e.Code]
}
