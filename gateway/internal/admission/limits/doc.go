// Package limits counts requests and refuses those that exceed a limit (behaviour: limits).
// The limits are account budgets (per minute and per UTC day), surface tiers and the hourly
// windows of the legacy interface.
//
// A request of an account costs one round trip to Redis. One script (script.go) reads
// its session record, checks every limit by Redis's clock, and then charges every limit.
// It charges nothing if a limit refuses, if there is no record, or if the account is
// suspended (behaviour: limits#a-rejected-request-is-not-charged). All keys are in the
// hash slot of the account.
//
// Requests without an account use a separate script. Reading reads session records in the
// same round trip.
//
// A missing counter of a day is not zero: it starts from the usage that auth has recorded
// (usagelookup.go). While Redis does not answer, each replica applies the same rules
// alone, in bounded memory and by its own clock (local.go).
//
// It must never charge a request twice, and it must never take a missing counter for an
// unused day.
package limits
