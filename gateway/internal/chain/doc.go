// Package chain is the chain of handlers that every request passes on its way to a
// door of the gateway. It exists so that all doors log, count, bound and refuse
// requests in the same way. New (door.go) builds it for one door, from outside
// inwards:
//
//	identify    listener.go  a new request id, the client's address; forged headers dropped
//	observe     listener.go  one log line, metrics, a trace, the account's usage
//	recover     listener.go  a panic is a 500, never a dropped connection
//	headers     listener.go  security headers of the door
//	  router    router.go    path and method: 404, 405
//	in flight   inflight.go  503 above the most requests at a time
//	limit body  bounds.go    the body fails to be read above its limit, and is charged (memory.go)
//	deadline    bounds.go    the time that the route has
//	platform    bounds.go    404 while the developer platform is off
//	  handler   of the route
//
// A door with a handler in place of a table of routes (the pages) has no router here:
// its handler routes by itself. If the door stays open without the platform
// (Door.WhilePlatformOff), the handler also closes what belongs to the platform. Its
// bodies that are too large are refused after the platform step.
//
// The handler of a route checks the rest, in the order that all routes share:
// credential 401, suspended 403, limits 429, scope 403 (package admission), size of
// the body 413, then the request itself (behaviour: errors#order-of-checks). Package
// api and the other doors put these handlers together in their tables.
//
// It must never log a credential, a query or a body.
package chain
