// Package sessionrecord caches the live state of credentials in Redis. With a record, a gateway
// replica accepts a credential without calling the auth service, but rejects it as soon as a
// revocation has been acknowledged (docs/architecture.md, "Live credential state").
//
// A record contains the principal for which a credential acts. It expires after Life, so that it
// disappears even from a stale Redis replica. Only the auth service writes records, and only under
// a lease: it sets a nonce, reads Postgres, and writes the record in one atomic step that checks
// the nonce. A revocation first commits to Postgres and then deletes the record and the nonce. A
// fill that read the state before the commit therefore finds no nonce, and neither does a fill that
// overlapped a FLUSHALL. A nonce expires after NonceLife, so a fill that stalled for longer cannot
// write either.
//
// Every record contains the generation of its account. A new generation invalidates all records of
// the account at once, without a list of them.
//
// A failover of Redis does not restore a revoked record. Redis replicates asynchronously: a replica
// that missed the deletion and is then promoted would serve the record. A deletion therefore counts
// only after every replica has confirmed it (redisx.Replicas); otherwise, the revocation waits
// until every possible record has expired (WaitOut). A replica always has a prefix of its master's
// history, so a replica that has the deletion also has everything before it. On such a replica, if
// a fill read the state before the commit, neither its record nor its nonce remains, so it cannot
// complete. A fill that began later has read the state after the commit. Redis replicates expiry as
// absolute times, so a record can outlive the master's copy only by the clock difference, for which
// WaitOut allows half a second.
//
// Redis is not trusted. The auth service seals each record with a key that Redis does not have
// (seal.go): a MAC over the record's key, the generation, every field that is used, and the time of
// the write. An attacker who can write to Redis therefore cannot make a credential act for a
// different account or change its limits. Extending a TTL does not help either: a record is
// rejected WaitOut after its write. Within that time, the attacker can restore an earlier record of
// the same credential together with the generation of that time. This works even if the credential
// has been revoked or its account suspended since then. The counters of the limits are not sealed:
// an attacker with write access can use them up or reset them, and can slow the service down by
// deleting keys.
//
// A missing record does not mean that a credential is invalid, nor that it is valid. It means only
// that the gateway must call the auth service.
//
// All keys of an account share a hash tag, so that a script can use them together on Redis Cluster.
package sessionrecord
