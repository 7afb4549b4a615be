package credential

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// PasskeyField is the control that shows error messages about passkeys.
const PasskeyField = "passkey"

// Offer describes whether passkeys can be used on the host of a page
// (behaviour: accounts#host-name-of-passkeys).
type Offer struct {
	On bool
	// Elsewhere is the URL of the same page on the host where passkeys work, or "" if there is
	// none.
	Elsewhere string
	// Site is the origin of Elsewhere. It is shown instead of the URL, which may contain a long
	// authorization request.
	Site string
}

// Policy is the Content-Security-Policy of pages that create or use a passkey. Their script fetches
// the challenge (behaviour: pages#scripts).
var Policy = web.Policy{Scripts: true, Connect: true}.String()

// passkeyRefusals maps error codes to the messages shown next to the passkey control.
var passkeyRefusals = map[string]string{
	"PASSKEY_REFUSED": "passkey.error.refused", "PASSKEY_UNKNOWN": "passkey.error.unknown", "CEREMONY_OVER": "passkey.error.over",
	"PASSKEY_EXISTS": "passkey.error.exists", "PASSKEY_LIMIT": "passkey.error.limit", "PASSKEYS_OFF": "passkey.error.off",
}

// Offer returns whether passkeys can be used on the host to which a request was sent.
func (f Forms) Offer(r *http.Request) Offer {
	switch {
	case f.Party.Serves(r.Host):
		return Offer{On: true}
	case f.Party.ID == "":
		return Offer{}
	case r.Method == http.MethodPost: // a POST URL cannot be opened, so link to the page with the form
		return Offer{Elsewhere: f.Party.Origin + f.FormBehind(r), Site: f.Party.Origin}
	default:
		return Offer{Elsewhere: f.Party.Origin + r.URL.RequestURI(), Site: f.Party.Origin}
	}
}

// SuggestedName returns the default name of a new passkey, which is the name of the browser that
// creates it.
func (f Forms) SuggestedName(r *http.Request) (string, error) {
	l, b := f.Language(r), BrowserOf(r)
	if b.GetName() == "" || b.GetSystem() == "" {
		return l.Text("passkey.name.default")
	}
	return l.Text("passkey.name.browser", "browser", b.GetName(), "system", b.GetSystem())
}

// StartCeremony starts a WebAuthn ceremony and writes the options for the browser as JSON.
func (f Forms) StartCeremony(w http.ResponseWriter, r *http.Request, purpose authv1.CeremonyPurpose, boundTo string) error {
	resp, err := f.Passkeys.StartCeremony(r.Context(), &authv1.StartCeremonyRequest{Purpose: purpose, BoundTo: boundTo})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(resp.GetOptions()) // an error means that the client has disconnected
	return nil
}

// AnswerFault returns the message key for a form without the browser's passkey response, or "" if
// it contains one. The response can only be filled in by a script.
func AnswerFault(r *http.Request) string {
	if r.PostForm.Get("credential") == "" {
		return "passkey.error.no_script"
	}
	return ""
}

// PasskeyRefusal returns the message key for a passkey response that the auth service has rejected,
// or "" if err is nil or a different error.
func PasskeyRefusal(err error) string {
	e, _ := errs.As(err)
	if e == nil {
		return ""
	}
	return passkeyRefusals[e.Code]
}
