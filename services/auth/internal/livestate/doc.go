// Package livestate says whether a credential is live (docs/architecture.md, "Live
// credential state"): it reads Postgres under a lease and leaves a session record
// in Redis, which the edge then relies on for ten seconds at most. What makes
// records stale is package forget's.
//
// It must never take Redis for the truth: with Redis down a resolve answers from
// Postgres alone.
package livestate
