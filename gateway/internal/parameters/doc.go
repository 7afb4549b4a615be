// Package parameters parses the parameters of OAuth requests in a query or a form body. All OAuth endpoints
// share it, so they parse the same text in the same way.
//
// The package must never return a value that was sent twice, is not text, or is too long.
package parameters
