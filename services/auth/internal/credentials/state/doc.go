// Package state decides whether a credential is live (docs/architecture.md, "Live credential state"). It reads
// Postgres under a lease and writes a session record to Redis, which the gateway may trust for at most ten seconds.
// Package revocation deletes the records that a change makes stale.
//
// Redis is never the source of truth: while it is down, all responses come from Postgres.
package state
