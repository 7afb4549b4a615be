package projection

import (
	"slices"

	"vitae.internal/pkg/scope"
)

// Grant describes what a person allows an app to see. The zero value allows nothing.
type Grant struct {
	Scopes []string
	// SharePhoto lets the app see the photo.
	SharePhoto bool
	// PdfURL is the URL of the durable link to the PDF.
	PdfURL string
	// PhotoURL is the signed URL of the photo (behaviour: photos#the-address-of-a-photo).
	PhotoURL string
}

// permission holds what may be shown. The zero value permits only basic fields, such as name, handle and
// headline.
//
// phone permits the phone number and links that reveal one. private permits the full address and the personal
// details. photo permits the photo at photoURL, and, together with ownPhoto, the stored URL of the photo.
type permission struct {
	cv, phone, private, email, photo, ownPhoto bool

	photoURL string
}

// Everything returns a grant that permits everything, for the owner of the CV. Its PhotoURL is a placeholder,
// which the PDF renderer replaces with the picture.
func Everything() Grant {
	return Grant{Scopes: []string{scope.Profile, scope.Email, scope.CVRead, scope.CVContact}, SharePhoto: true, PhotoURL: "about:blank"}
}

func (g Grant) permission() permission {
	has := func(wanted string) bool { return slices.Contains(g.Scopes, wanted) }
	// Contact details are part of the CV, so cv:contact without cv:read grants nothing
	// (behaviour: sign-in#optional-scopes). The auth service should never store such a grant.
	contact := has(scope.CVRead) && has(scope.CVContact)
	// A durable link that was created on the legacy interface has both scopes, so its PDF includes the phone
	// number. The legacy scope on its own grants nothing here.
	legacy := has(scope.CVRead) && has(scope.ProfileRead)
	return permission{cv: has(scope.CVRead), phone: contact || legacy, private: contact, email: has(scope.Email), photo: g.SharePhoto, photoURL: g.PhotoURL}
}

// legacyPermission returns the permission for the legacy interface, whose profile contains neither the full
// address nor personal details (behaviour: legacy#legacy-profile).
func (g Grant) legacyPermission() permission {
	if !slices.Contains(g.Scopes, scope.ProfileRead) {
		return permission{}
	}
	return permission{cv: true, phone: true, email: true, photo: g.SharePhoto, photoURL: g.PhotoURL}
}

// everyone is the permission that visitors of the public page have: the CV with the photo.
var everyone = permission{cv: true, photo: true, ownPhoto: true}
