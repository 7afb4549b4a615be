// Package throttle slows down whoever guesses passwords, without locking the
// owner out (decision 39).
//
// Attempts are counted per e-mail address, per client address, and per pair of
// the two. A client address that has just failed for an e-mail waits longer the
// more failures the e-mail has seen, from wherever; one that has failed for many
// e-mails waits by its own count. The wait runs from the client's own last
// failure and is bounded, and a client without a recent failure never waits: an
// attacker elsewhere cannot shut the owner out.
//
// An attempt is counted before the password is checked and taken back if it was
// right, so that a thousand guesses at once are not a thousand free ones.
//
// The counts live in Redis, for all replicas; while Redis is down each replica
// counts for itself. It must never store an e-mail address, only its hash.
package throttle
