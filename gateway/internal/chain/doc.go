// Package middleware is the chain that every request passes before its handler.
// Outer wraps a whole listener; Route wraps one route of it:
//
//	identify    a new request id, the client's address; forged headers dropped
//	observe     one log line, the metrics, the account's usage
//	recover     a panic is a 500, never a dropped connection
//	headers     what browsers must not do with our answers
//	  router    (internal/router) path and method: 404, 405
//	limit body  413
//	deadline
//	platform    404 while the developer platform is off
//	admit       credential 401, suspended 403, limits 429, scope 403 (decision 1)
//	  handler
//
// It must never log a credential, a query or a body.
package chain
