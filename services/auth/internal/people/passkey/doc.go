// Package passkey adds, renames and removes passkeys, signs people in with them, and accepts
// them as proof of presence (behaviour: accounts#passkeys).
//
// A ceremony has two steps. The first sends a challenge to the browser and stores what the
// second step needs. The second step deletes that row, so each challenge is answered once.
// Before the answer, it checks the ceremony's purpose, and the session, browser or link that
// it is bound to.
//
// It must never accept an answer without user verification, from another origin than the
// pages, or for another purpose. It must never leave an account without a sign-in method.
package passkey
