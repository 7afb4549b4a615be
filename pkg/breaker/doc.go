// Package breaker stops calls to a service that does not respond. While its calls time out, further
// calls fail immediately, because they would only block their callers. One call per second checks
// whether the service has recovered. docs/adr/0008-own-circuit-breaker.md explains why no library
// is used.
//
// Only missing responses count. An error that the service itself returned never counts, not even an
// unavailability error.
package breaker
