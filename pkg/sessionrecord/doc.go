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
// The absence of a record does not mean that a credential is dead, nor that it is live.
// It means that the gateway must ask auth.
//
// All keys of an account share a hash tag, so that one script can use them together on a
// Redis Cluster.
package sessionrecord
