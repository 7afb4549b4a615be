// Package authorize takes an authorization request to a code: it checks the
// request (RFC 6749 §4.1.1, RFC 7636 §4.3, decision 9) and records the person's
// consent (decision 11).
//
// It must never let a fault reach a redirect URI that is not the client's own,
// and never grant what was not requested or not allowed to the app.
package authorize
