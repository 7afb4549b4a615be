// Package recovery replaces passwords. To replace a forgotten password, people use an emailed link
// (behaviour: accounts#a-forgotten-password). To change a password, they need a proof of presence
// (behaviour: accounts#changing-the-password).
//
// Replacing a password ends the sessions opened with it. Neither responses nor their timing may reveal whether an
// email address has an account. A request for a link therefore writes the same rows for every address, and the
// recipient is determined when the email is sent. The package must never send a link to the typed address, only to
// the account's address.
package recovery
