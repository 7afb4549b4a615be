// Package introspection answers token introspection from session records in Redis, without
// a call to auth (behaviour: tokens#introspection). It reads the records of the client's
// secret and of the token in one round trip.
//
// It answers only if both records prove that the token is live and belongs to the client's
// app. Otherwise auth answers: a missing record proves nothing (docs/architecture.md, "Live
// credential state").
//
// It must never authenticate a client from its cache, which only knows the accounts of
// clients, to find their records.
package introspection
