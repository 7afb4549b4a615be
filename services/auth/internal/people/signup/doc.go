// Package signup creates the accounts that people request for themselves
// (behaviour: accounts#creating-an-account).
//
// The request is stored separately from people until the owner of the address opens the
// emailed link and enters the same password. Then one transaction creates the account and the
// outbox entry from which candidate creates the profile.
//
// Neither answers nor their timing may reveal whether an address has an account. The package must
// never create an account with a password that the owner of the address doesn't know. Otherwise,
// people could get an account with somebody else's address.
package signup
