// Package limits spends requests of account budgets (per minute and per UTC day), of
// surface tiers and of the hourly windows of the legacy interface, and refuses
// requests that are over them (behaviour: limits).
//
// A request of an account costs one round trip to Redis. One script (script.go)
// reads its session record, checks every limit by Redis's clock, and then spends
// every limit. It spends nothing if a limit refuses, if there is no record, or if
// the account is suspended (behaviour: limits#a-refused-request-spends-nothing). All
// keys are in the hash slot of the account.
//
// A request of a surface without an account has a script of its own. Reading reads session
// records beside it, in the same round trip.
//
// A counter of a day that is missing is not zero: it starts from the usage that auth
// has recorded (usagelookup.go). While Redis does not answer, each replica applies
// the same rules by itself, in bounded memory and by its own clock (local.go).
//
// It must never let one request spend twice, and it must never take a missing
// counter for a fresh day.
package limits
