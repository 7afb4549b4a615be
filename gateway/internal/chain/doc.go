// Package chain implements the middleware that all listeners of the gateway share, so that they log, count,
// limit and reject requests in the same way. New (listener.go) builds it for one listener, from the outside in:
//
//	identify    middleware.go  assigns a request id, determines the client's IP address, drops forged headers.
//	observe     observe.go     writes a log line, metrics and a trace, and records the account's usage.
//	recover     middleware.go  turns a panic into a 500.
//	headers     middleware.go  sets the security headers.
//	  router    router.go      finds the route, or responds with 404 or 405.
//	in flight   bounds.go      responds with 503 above the limit of concurrent requests.
//	limit body  bounds.go      limits the body's size and charges its memory (memory.go).
//	deadline    bounds.go      sets the route's timeout.
//	platform    bounds.go      responds with 404 while the developer platform is off.
//	  handler                  serves the route.
//
// A listener can have a handler instead of a table of routes, as the listener of the pages does. The chain then
// has no router: the handler routes requests itself and, with Listener.WhilePlatformOff, also responds with 404
// for the routes of the platform.
//
// A route's handler performs the remaining checks: credential 401, suspension 403, limits 429, scope 403
// (package admission), body size 413, and then the request itself (behaviour: errors#order-of-checks). The
// route tables of package api and of the other listeners combine these handlers.
//
// The package must never log a credential, a query or a body.
package chain
