package projection

import "slices"

// The user scopes (spec: User scopes).
const (
	ScopeProfile   = "profile"
	ScopeEmail     = "email"
	ScopeCv        = "cv:read"
	ScopeCvContact = "cv:contact"
)

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
type permission struct {
	cv, contact, email, photo bool
}

func (g Grant) permission() permission {
	has := func(scope string) bool { return slices.Contains(g.Scopes, scope) }
	return permission{
		cv: has(ScopeCv),
		// Contact details are part of the CV: alone the scope grants nothing
		// (decision 11).
		contact: has(ScopeCv) && has(ScopeCvContact),
		email:   has(ScopeEmail),
		photo:   g.SharePhoto,
	}
}

// everyone is the permission of the public page: the CV, with the photo that its
// owner put there by making the profile public.
var everyone = permission{cv: true, photo: true}
