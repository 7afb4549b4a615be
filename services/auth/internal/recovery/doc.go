// Package recovery replaces passwords: forgotten ones by a link in a mail, others by a proof that
// the person of the session is there
// (behaviour: accounts#a-forgotten-password, accounts#changing-the-password).
//
// Whoever replaces a password ends the sessions that were opened with it. Neither answers
// nor their time may tell whether an address has an account: asking for a link writes the
// same rows for every address, and who gets a mail is decided when it is sent. It must never
// mail a link to the address that was typed, but to that of the account.
package recovery
