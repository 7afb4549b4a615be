// Package projection is the privacy projection: the one place that decides what others
// see of a person and a CV. The JSON and the PDF of a shared CV, the signed-in user, the
// profile of the legacy interface, the public page and the CVs of an applicant are all
// made here.
//
// It works in two steps. `see` (see.go) copies what a permission allows from the stored
// person into a seen value; everything after it knows only that value. A stored field
// that `see` does not copy cannot be shown, so a new field is private until somebody
// adds it there. Nothing below or above this package drops or adds a field. Tests fill
// every stored field with a canary and look for it in every answer.
//
// Where to look:
//   - A phone number is left out in `see`, and a link that reveals one in `seeSocials` and
//     `seeLinks`, by the rules in telephone.go.
//   - The photo, the e-mail address, the full address and the personal details are left
//     out in `see`.
//   - The permission that scopes and photo consent give is in grant.go.
//   - Where a photo lies is never shown, except on the public page. Apps get an address of
//     ours, which the gateway signs (behaviour: photos#the-address-of-a-photo).
//
// The functions are pure: no clock, no store, no transport.
package projection
