// Package admission authenticates and rate-limits requests before their handlers run. It makes every route
// check the credential, the account, the limits and the scope in the same order
// (behaviour: errors#order-of-checks). Gate.bearer and Gate.bearerPrincipal (admit.go) define the order.
//
// - shared.go: what listeners share. admit.go, bearer.go: authentication by token, key or link.
// - surface.go, clients.go, slots.go: limits by IP address or client.
// - partner.go: the hourly limit of apps on the legacy interface.
// - credentials: verifies credentials.
// - introspection: introspects tokens from session records.
// - limits: counts requests against account budgets, tiers and windows in Redis.
// - usage: reports requests to the auth service.
// - signedurl: signs durable links and photo URLs.
// - records: verifies session records in Redis.
// - outage: a circuit breaker for Redis.
// - lru: a cache of limited size.
//
// The package must never read more of a request than its credential and its IP address. It must never reveal
// why a credential is dead, except that a legacy token has expired.
package admission
