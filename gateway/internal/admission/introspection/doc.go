// Package introspection introspects tokens from session records in Redis, without a call to the auth service
// (behaviour: tokens#introspection). It reads the records of the client's secret and of the token in one round
// trip.
//
// It responds only if both records prove that the token is live and belongs to the client's app. Otherwise the
// auth service is called, because a missing record proves nothing (docs/architecture.md, "Live credential
// state").
//
// The package must never authenticate a client because the client is in its cache, which only maps clients
// to accounts so that records can be found.
package introspection
