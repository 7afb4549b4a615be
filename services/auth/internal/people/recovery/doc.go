// Package recovery replaces passwords: a forgotten one with an emailed link
// (behaviour: accounts#a-forgotten-password), another with a proof of presence
// (behaviour: accounts#changing-the-password).
//
// Replacing a password ends the sessions opened with it. Neither answers nor their timing may
// reveal whether an address has an account. A request for a link therefore writes the same
// rows for every address, and the recipient is determined when the email is sent. The package
// must never send a link to the typed address, only to the account's.
package recovery
