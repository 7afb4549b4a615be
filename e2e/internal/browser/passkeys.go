package browser

import (
	"github.com/chromedp/cdproto/webauthn"
)

// Authenticator is the authenticator of the person's device, which keeps passkeys and asks for
// a fingerprint. It belongs to the browser's tab.
type Authenticator struct {
	b  *Browser
	id webauthn.AuthenticatorID
}

// Authenticator gives the device an authenticator that knows the person's finger.
func (b *Browser) Authenticator() Authenticator {
	b.t.Helper()
	call(b, webauthn.Enable, webauthn.EnableParams{})
	added := call(b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	return Authenticator{b, added.AuthenticatorID}
}

// Recognises says whether it takes the finger that is shown for that of its owner.
func (a Authenticator) Recognises(owner bool) {
	a.b.t.Helper()
	call(a.b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: a.id, IsUserVerified: owner})
}

// Passkeys is how many passkeys it keeps.
func (a Authenticator) Passkeys() int {
	a.b.t.Helper()
	return len(call(a.b, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: a.id}).Credentials)
}
