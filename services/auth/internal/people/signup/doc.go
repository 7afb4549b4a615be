// Package signup creates the accounts that people request for themselves (behaviour: accounts#creating-an-account).
//
// A request is stored separately from people until the owner of the email address opens the emailed link and enters
// the same password. One transaction then creates the account and the outbox entry from which the candidate service
// creates the profile.
//
// Neither responses nor their timing may reveal whether an address has an account. The package must never create an
// account with a password that the owner of the address doesn't know. Otherwise, someone could sign up with another
// person's email address, and share the account with that person.
package signup
