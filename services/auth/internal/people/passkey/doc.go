// Package passkey adds, renames and removes passkeys, signs people in with them, and accepts them as proof of
// presence (behaviour: accounts#passkeys).
//
// A ceremony has two steps. The first step sends a challenge to the browser and stores what the second step needs.
// The second step deletes that row, so each challenge can be answered only once. It then checks the ceremony's
// purpose, checks that the response comes from the session, browser or link to which the ceremony is bound, and
// finally checks the response itself.
//
// It must never accept a response without user verification, from an origin other than the pages, or for a different
// purpose. It must never leave an account without a sign-in method.
package passkey
