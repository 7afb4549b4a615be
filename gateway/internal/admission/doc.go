// Package admission decides whether a request may pass before its handler runs. It
// exists so that every route checks credential, account, limits and scope in the same
// order (behaviour: errors#order-of-checks). The order is written in Gate.bearer and
// Gate.bearerPrincipal (admit.go).
//
//   - admit.go, bearer.go, legacytoken.go: read a credential and admit its request
//   - surface.go: limits by client or address, for routes without a credential
//   - partner.go: the hourly limit of apps at the legacy interface
//   - credentials: tells whether a credential is live
//   - introspection: tells from session records that a token is its client's own
//   - limits: spends account budgets, tiers and windows in Redis
//   - usage: reports answered requests to auth
//   - cvlink: signs durable links
//   - outage: decides whether Redis is asked
//   - lru: the caches of credentials and limits
//
// It must never look at a request beyond its credential and its address, and it must
// never say why a credential is dead, except that a legacy token has expired.
package admission
