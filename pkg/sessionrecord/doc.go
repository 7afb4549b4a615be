// Package sessionrecord is the live state of credentials in Redis: the one
// mechanism by which an edge replica accepts a credential without asking auth,
// and by which it stops accepting it the moment a revoke has answered.
//
// A record says on whose behalf a credential acts. It lives at most Life, so
// that even a stale Redis replica forgets it. Only auth writes records, and only
// under a lease: auth puts a nonce, reads Postgres, and writes the record in one
// step that checks that the nonce still stands. A revoke commits to Postgres
// first and then deletes record and nonce, so a fill that read the state from
// before the commit finds its nonce gone; so does one that FLUSHALL ran into. A
// nonce lives NonceLife and no longer, so a fill that was frozen cannot write
// after it either.
//
// Every record names the generation of its account. Replacing the generation
// forgets all records of the account at once, without knowing them.
//
// Absence of a record never means that a credential is dead, and never that it
// is live: it means "ask auth".
//
// All keys of an account share a hash tag, so that one script may use them
// together on a Redis Cluster.
package sessionrecord
