// Package throttle slows down clients that guess passwords, by their address
// (behaviour: sign-in#delays-after-wrong-passwords).
//
// It counts attempts per client address, and per pair of client address and email address.
// The wait grows with the failures of the pair and with the failures of the address across
// all accounts; both waits have a limit. Guesses from many addresses are limited by the
// account's ceiling instead (package ceiling).
//
// An attempt is counted before the password is checked, and the count is reversed if the password
// is right or isn't checked. Otherwise, a thousand simultaneous guesses would all be free.
//
// The counts are in Redis, shared by all replicas. While Redis is down, each replica counts
// alone. The package must never store an email address, only its hash.
package throttle
