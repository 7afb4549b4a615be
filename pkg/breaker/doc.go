// Package breaker stops calls to a service that does not answer. While calls end at their deadline,
// further calls fail immediately, because they would only block their callers. One call a second
// checks whether the service is back. docs/adr/0008-own-circuit-breaker.md explains why no library
// is used.
//
// An error that the service itself returned never counts, not even one of unavailability: only
// missing answers count.
package breaker
