// Package revocation makes every gateway replica reject a revoked credential before the call that
// revoked it returns (docs/architecture.md, "Live credential state";
// behaviour: tokens#revoked-means-revoked).
//
// The transaction that makes session records stale writes an Entry to the outbox. After the commit,
// Publisher.Publish deletes the records from Redis. The publisher's job does the same for entries
// left behind by a crash or a canceled caller.
//
// Publish must never report success while a stale record can exist: if Redis is unavailable,
// or a replica doesn't confirm the deletion, it waits until every record has expired.
package revocation
