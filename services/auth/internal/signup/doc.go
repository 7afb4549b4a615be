// Package signup makes the accounts that people want for themselves
// (behaviour: accounts#creating-an-account).
//
// What somebody types is kept apart from people until the owner of the address has opened
// the link of the mail and entered the same password. Then the account, and the entry of the
// outbox from which candidate makes the profile, come to be in one transaction.
//
// Neither answers nor their time may tell whether an address has an account. It must never
// make an account for a password that the owner of the address does not know: whoever typed
// it would hold an account with an address that is not theirs.
package signup
