// Package redis stores what may be lost at any time: session records (through
// pkg/sessionrecord) and the counts of sign-in attempts.
//
// It must never be asked for the truth, and nothing may depend on a value being there.
package redis
