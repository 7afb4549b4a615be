// Package limits counts requests and rejects any request that exceeds a limit (behaviour: limits). The limits are
// account budgets (per minute and per UTC day), surface tiers and the hourly windows of the legacy interface.
//
// A request on behalf of an account takes one round trip to Redis. A single script (script.go) reads the
// session record, checks every limit by Redis's clock, and then charges the request to every limit. It charges
// nothing if a limit rejects the request, if there is no record, or if the account is suspended
// (behaviour: limits#a-rejected-request-is-not-charged). All keys are in the account's hash slot.
//
// Requests without an account use a separate script. Reading reads session records in the same round trip.
//
// A missing day counter does not mean zero: it starts from the usage that the auth service has recorded
// (usagelookup.go). While Redis does not respond, each replica applies the same rules on its own, in limited
// memory and by its own clock (local.go).
//
// The package must never charge a request twice, and it must never treat a missing counter as an unused day.
package limits
