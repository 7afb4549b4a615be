package browser

import (
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
)

// Authenticator stores the passkeys of the device and verifies the person. It belongs to the tab.
type Authenticator struct {
	b  *Browser
	id webauthn.AuthenticatorID
	// hidden is the script that disables suggestions.
	hidden page.ScriptIdentifier
}

// Authenticator adds an authenticator that immediately approves every request. Until Suggests, the
// browser does not suggest passkeys.
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

// Recognises sets whether the authenticator verifies the person.
func (a Authenticator) Recognises(owner bool) {
	a.b.t.Helper()
	call(a.b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: a.id, IsUserVerified: owner})
}

// Suggests enables suggestions on pages opened from now on. A stored passkey is chosen immediately.
func (a Authenticator) Suggests() {
	a.b.t.Helper()
	call(a.b, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: a.hidden})
}

// Passkeys is the number of stored passkeys.
func (a Authenticator) Passkeys() int {
	a.b.t.Helper()
	return len(call(a.b, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: a.id}).Credentials)
}
