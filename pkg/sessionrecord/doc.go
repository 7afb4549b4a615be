// Package sessionrecord keeps the live state of credentials in Redis. By it, an edge
// replica accepts a credential without asking auth, and refuses it as soon as a revoke
// has answered (docs/architecture.md, "Live credential state").
//
// A record says on whose behalf a credential acts. It expires after Life, so that even a
// stale replica of Redis loses it. Only auth writes records, and only under a lease: auth
// puts a nonce, reads Postgres, and writes the record in one step that checks the nonce.
// A revoke first commits to Postgres and then deletes record and nonce. A fill that read
// the state before the commit therefore finds no nonce, and neither does a fill during
// which FLUSHALL ran. A nonce expires after NonceLife, so a fill that was frozen for
// longer cannot write either.
//
// Every record names the generation of its account. A new generation invalidates all
// records of the account at once, without a list of them.
//
// A failover of Redis revives nothing. Redis replicates asynchronously: a replica that
// missed the deletion of a record, and is promoted, would serve it. So a deletion counts
// only when every replica has confirmed it (redisx.Replicas); otherwise the revoke waits
// until every record that may exist has expired (WaitOut). What a replica has is always
// the beginning of what its master has, so a replica that has the deletion has all that
// came before, too: it holds neither the record nor the nonce of a fill that read the
// state from before the commit. Such a fill cannot complete there. A fill that began
// later has read the state from after the commit. Times to live are replicated as
// moments, so a record does not live longer on a replica than on the master, but for what
// their clocks differ, for which WaitOut has half a second.
//
// Redis holds records, but does not vouch for them. auth seals each one with a key that
// Redis does not have (seal.go): an authentication code over the key of the record, the
// generation, every field that is used, and the moment of the write. Who can write to
// Redis can therefore not have a credential act as another one, change its limits, or
// use a record for longer than WaitOut after it was written, whatever its time to live.
// Until then it can put back a record that this same credential had, with the generation
// of that time, although the credential was revoked or its account suspended meanwhile.
// Counters of limits have no seal: who can write to Redis can spend them and reset them,
// and can make the service slow by deleting what is there.
//
// The absence of a record does not mean that a credential is dead, nor that it is live.
// It means that the gateway must ask auth.
//
// All keys of an account share a hash tag, so that one script can use them together on a
// Redis Cluster.
package sessionrecord
