package browser

import (
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
)

// Authenticator is the authenticator of the person's device, which keeps passkeys and asks for
// a fingerprint. It belongs to the browser's tab.
type Authenticator struct {
	b  *Browser
	id webauthn.AuthenticatorID
	// hidden is the script that hides suggestions.
	hidden page.ScriptIdentifier
}

// Authenticator gives the device an authenticator on which the person's finger lies: it answers
// whatever asks for a passkey, at once. Until Suggests the browser is one that suggests none.
func (b *Browser) Authenticator() Authenticator {
	b.t.Helper()
	hidden := call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = undefined",
	})
	call(b, webauthn.Enable, webauthn.EnableParams{})
	added := call(b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	return Authenticator{b, added.AuthenticatorID, hidden.Identifier}
}

// Recognises says whether it takes the finger that is shown for that of its owner.
func (a Authenticator) Recognises(owner bool) {
	a.b.t.Helper()
	call(a.b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: a.id, IsUserVerified: owner})
}

// Suggests has the browser suggest passkeys on the pages that are opened from now on. A passkey
// that the authenticator keeps is chosen at once.
func (a Authenticator) Suggests() {
	a.b.t.Helper()
	call(a.b, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: a.hidden})
}

// Passkeys is how many passkeys it keeps.
func (a Authenticator) Passkeys() int {
	a.b.t.Helper()
	return len(call(a.b, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: a.id}).Credentials)
}
