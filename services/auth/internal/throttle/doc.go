// Package throttle slows down a client that guesses passwords, by its address
// (behaviour: sign-in#wrong-passwords-are-slowed).
//
// It counts attempts per client address, and per pair of address and e-mail address. A
// client waits longer the more failures its pair has had, and the more failures its
// address has had over all accounts. Both waits are bounded. It knows nothing of what
// other addresses do: many addresses together meet the ceiling of the account (package
// ceiling).
//
// An attempt is counted before the password is checked, and the count is taken back if
// the password was right, or was not checked after all. Otherwise a thousand simultaneous
// guesses would all be free.
//
// Redis holds the counts for all replicas. While Redis is down, each replica counts for
// itself. The package must never store an e-mail address, only its hash.
package throttle
