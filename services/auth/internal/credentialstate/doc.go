// Package credentialstate decides whether a credential is live (docs/architecture.md,
// "Live credential state"). It reads Postgres under a lease and leaves a session record
// in Redis, which the edge may rely on for ten seconds at most. Package revocation
// deletes the records that a change makes stale.
//
// It must never take Redis for the truth: while Redis is down, it answers from Postgres
// alone.
package credentialstate
