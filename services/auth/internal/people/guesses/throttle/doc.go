// Package throttle slows down clients that guess passwords, by their IP address
// (behaviour: sign-in#delays-after-wrong-passwords).
//
// It counts attempts per client IP address, and per pair of client IP address and email address. The wait grows with
// the failures of the pair, and with the failures of the IP address across all accounts; both waits have an upper
// limit. Guesses from many IP addresses are limited by the account's ceiling instead (package ceiling).
//
// An attempt is counted before its password is checked, so that a thousand concurrent guesses aren't all free. If
// the password is right or isn't checked, the counting is reversed.
//
// The counts are stored in Redis, which all replicas share. While Redis is down, each replica counts on its own. The
// package must never store an email address, only its hash.
package throttle
