// Package throttle slows down attempts to guess passwords, without locking out the
// owner of an account (behaviour: sign-in#wrong-passwords-are-slowed).
//
// It counts attempts per e-mail address, per client address, and per pair of the two. A
// client address that has just failed for an e-mail address waits longer the more
// failures that e-mail address has had from any client. A client address that has failed
// for many e-mail addresses waits by its own count. The wait is bounded and begins with
// the last failure of the client itself. A client without a recent failure never waits,
// so an attacker elsewhere cannot lock the owner out.
//
// An attempt is counted before the password is checked, and the count is taken back if
// the password was right. Otherwise a thousand simultaneous guesses would all be free.
//
// Redis holds the counts for all replicas. While Redis is down, each replica counts for
// itself. The package must never store an e-mail address, only its hash.
package throttle
