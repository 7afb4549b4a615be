// Package projection is the privacy projection: the one place that decides what
// of a person and a CV others see. The JSON and the PDF of a shared CV, the
// signed-in user, the profile of the older interface and the public page are all
// made here.
//
// It works in two steps. `see` copies what a permission allows out of the stored
// person into a seen value; everything after it knows only that value. What `see`
// does not copy cannot be shown, so a new stored field is private until somebody
// adds it there. Nothing below or above this package drops or adds a field.
//
// The functions are pure: no clock, no store, no transport.
package projection
