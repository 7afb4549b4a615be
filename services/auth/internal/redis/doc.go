// Package redis keeps in Redis what may be lost at any time: session records
// (through pkg/sessionrecord) and the counts of sign-in attempts.
//
// It must never be asked for the truth, and nothing may depend on what it holds
// being there.
package redis
