package projection

import "slices"

// The user scopes (spec: User scopes).
const (
	ScopeProfile   = "profile"
	ScopeEmail     = "email"
	ScopeCv        = "cv:read"
	ScopeCvContact = "cv:contact"
)

// ScopeLegacy is the one scope of the older profile-sharing interface. Alone it
// grants nothing of the others', nor they of it; on the durable link of its consent
// it stands beside cv:read, for the phone number.
const ScopeLegacy = "profile:read"

// Grant is what a person allows one app. The zero value allows nothing.
type Grant struct {
	// Scopes in force.
	Scopes []string
	// SharePhoto says whether the app may see the photo.
	SharePhoto bool
	// PdfURL is the durable link of the PDF.
	PdfURL string
}

// permission is what may be seen. The zero value sees only what every reader of a
// person may: name, handle, headline and the like.
//
// phone is the phone number and links that tell one, private the full address and
// the personal details.
type permission struct {
	cv, phone, private, email, photo bool
}

func (g Grant) permission() permission {
	has := func(scope string) bool { return slices.Contains(g.Scopes, scope) }
	// Contact details are part of the CV: alone the scope grants nothing (decision
	// 11).
	contact := has(ScopeCv) && has(ScopeCvContact)
	legacy := has(ScopeCv) && has(ScopeLegacy)
	return permission{cv: has(ScopeCv), phone: contact || legacy, private: contact, email: has(ScopeEmail), photo: g.SharePhoto}
}

// legacyPermission is the permission of a consent at the older interface: what the
// specification lists of a profile, of which a full address and personal details
// are no part.
func (g Grant) legacyPermission() permission {
	if !slices.Contains(g.Scopes, ScopeLegacy) {
		return permission{}
	}
	return permission{cv: true, phone: true, email: true, photo: g.SharePhoto}
}

// everyone is the permission of the public page: the CV, with the photo that its
// owner put there by making the profile public.
var everyone = permission{cv: true, photo: true}
