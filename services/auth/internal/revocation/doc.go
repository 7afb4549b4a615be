// Package revocation makes every gateway replica refuse a credential before the call
// that ended it answers (docs/architecture.md, "Live credential state"; behaviour: tokens#revoked-means-revoked).
//
// The transaction that makes session records stale writes an Entry to the outbox.
// After the commit, Publisher.Publish deletes the records from Redis. The job of the
// publisher does the same for entries that a crash or a caller that went away left
// behind.
//
// Publish must never report success while a stale record can live: if Redis cannot be
// reached, or one of its replicas does not confirm the deletion, it waits until every
// record has expired.
package revocation
