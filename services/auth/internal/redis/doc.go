// Package redis stores data that may be lost at any time: session records (through pkg/sessionrecord) and the counts
// of sign-in attempts.
//
// Redis is never the source of truth, and nothing may rely on a value being present in it.
package redis
