// Package admission authenticates and rate-limits requests before their handlers run.
// It exists so that every route checks credential, account, limits and scope in the
// same order (behaviour: errors#order-of-checks): that of Gate.bearer and
// Gate.bearerPrincipal (admit.go).
//
//   - shared.go: what listeners share; admit.go, bearer.go: authentication by token, key or link.
//   - surface.go, clients.go, slots.go: limits by address or client.
//   - partner.go: the hourly limit of apps at the legacy interface.
//   - credentials: verifies credentials.
//   - introspection: answers token introspection from session records.
//   - limits: counts account budgets, tiers and windows in Redis.
//   - usage: reports requests to auth.
//   - signedurl: signs durable links and photo addresses.
//   - records: verifies session records in Redis.
//   - outage: a circuit breaker for Redis.
//   - lru: a cache of bounded size.
//
// It must never read more of a request than its credential and its address. It must never
// reveal why a credential is dead, except that a legacy token has expired.
package admission
