// Package passkey is about passkeys (behaviour: accounts#passkeys): it adds and removes them,
// signs people in by them, and takes them as proof that somebody is there.
//
// A ceremony has two halves. The first gives the browser a challenge and stores what the
// second needs; the second takes that row, so a challenge is answered once. What a ceremony is
// for, and the session, browser or link that it is bound to, are checked before the answer is.
//
// It must never accept an answer without user verification, from another origin than that of
// the pages, or for another purpose, and never leave an account without a way in.
package passkey
