package projection

import (
	"slices"

	"vitae.internal/pkg/scope"
)

// Grant is what a person allows one app. The zero value allows nothing.
type Grant struct {
	// Scopes in force.
	Scopes []string
	// SharePhoto says whether the app may see the photo.
	SharePhoto bool
	// PdfURL is the durable link of the PDF.
	PdfURL string
	// PhotoURL is the signed address of the photo (behaviour: photos#the-address-of-a-photo).
	PhotoURL string
}

// permission is what may be seen. The zero value shows only what everyone may see who
// may read a person at all: name, handle, headline and the like.
//
// phone permits the phone number and links that reveal one, private the full address and
// the personal details. photo permits the photo at photoURL; ownPhoto, with it, the photo
// as it is stored.
type permission struct {
	cv, phone, private, email, photo, ownPhoto bool

	photoURL string
}

// Everything is a grant that leaves nothing out, for the owner of the CV. What stands for
// the address of the photo is no address: who makes a PDF puts the picture in its place.
func Everything() Grant {
	return Grant{Scopes: []string{scope.Profile, scope.Email, scope.CVRead, scope.CVContact}, SharePhoto: true, PhotoURL: "about:blank"}
}

func (g Grant) permission() permission {
	has := func(wanted string) bool { return slices.Contains(g.Scopes, wanted) }
	// Contact details are part of the CV, so cv:contact without cv:read grants nothing
	// (behaviour: sign-in#scopes-the-person-may-drop). auth stores no such grant; this holds
	// if it ever should.
	contact := has(scope.CVRead) && has(scope.CVContact)
	// The durable link of a consent of the legacy interface has both scopes, for the phone
	// number. Alone, the scope of the legacy interface grants nothing here.
	legacy := has(scope.CVRead) && has(scope.ProfileRead)
	return permission{cv: has(scope.CVRead), phone: contact || legacy, private: contact, email: has(scope.Email), photo: g.SharePhoto, photoURL: g.PhotoURL}
}

// legacyPermission is the permission of a consent at the legacy interface. Its profile
// has neither a full address nor personal details (behaviour: legacy#legacy-profile):
// private is not permitted, and LegacyProfile has no field for them either.
func (g Grant) legacyPermission() permission {
	if !slices.Contains(g.Scopes, scope.ProfileRead) {
		return permission{}
	}
	return permission{cv: true, phone: true, email: true, photo: g.SharePhoto, photoURL: g.PhotoURL}
}

// everyone is the permission of the public page: the CV with the photo. Its owner has
// made both public.
var everyone = permission{cv: true, photo: true, ownPhoto: true}
