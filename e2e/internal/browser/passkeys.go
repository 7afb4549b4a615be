package browser

import (
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
)

// Authenticator is the device's virtual authenticator, which stores passkeys and verifies the user. It
// belongs to one tab.
type Authenticator struct {
	b  *Browser
	id webauthn.AuthenticatorID
	// noSuggestions is the id of the script that disables suggestions.
	noSuggestions page.ScriptIdentifier
}

// Authenticator adds an authenticator that immediately approves every request. The browser does not
// suggest passkeys until Suggests is called.
func (b *Browser) Authenticator() Authenticator {
	b.t.Helper()
	noSuggestions := call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = undefined",
	})
	call(b, webauthn.Enable, webauthn.EnableParams{})
	added := call(b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	return Authenticator{b, added.AuthenticatorID, noSuggestions.Identifier}
}

// Recognizes sets whether user verification succeeds.
func (a Authenticator) Recognizes(owner bool) {
	a.b.t.Helper()
	call(a.b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: a.id, IsUserVerified: owner})
}

// Suggests enables passkey suggestions on pages opened from now on. The authenticator accepts a
// suggestion immediately.
func (a Authenticator) Suggests() {
	a.b.t.Helper()
	call(a.b, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: a.noSuggestions})
}

// Passkeys returns the number of stored passkeys.
func (a Authenticator) Passkeys() int {
	a.b.t.Helper()
	return len(call(a.b, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: a.id}).Credentials)
}
