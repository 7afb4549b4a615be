// Package projection decides which data about a person and a CV others may see. No other package
// does. It produces the JSON and the PDF of a shared CV, the signed-in user, the profile for the
// legacy interface, the public page and the CVs of applicants.
//
// It works in two steps. `see` (see.go) copies the permitted fields of the stored person into a
// seen value, and all output is built from that value. A field that `see` does not copy cannot be
// shown, so new fields remain private until they are added there. No other package removes or adds
// fields. Tests fill every stored field with a canary and search every result for it.
//
// Where to look:
//   - `see` removes the phone number, the photo, the email address, the full address and
//     the personal details. `seeSocials` and `seeContent` remove links that reveal a phone
//     number, by the rules in telephone.go.
//   - grant.go derives permissions from scopes and the photo consent.
//   - The URL of a photo is shown only on the public page. Apps receive a URL that the
//     gateway signs (behaviour: photos#the-address-of-a-photo).
//
// The functions are pure: they use no clock, no store and no network.
package projection
