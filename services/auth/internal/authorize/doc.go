// Package authorize turns an authorization request into a code. It checks the request
// (RFC 6749 §4.1.1, RFC 7636 §4.3; behaviour: sign-in#authorization-request) and records the person's
// consent (behaviour: sign-in#scopes-the-person-may-drop).
//
// It must never let a fault go to a redirect URI that is not the client's own, and never
// grant a scope that was not requested or that the app may not have.
package authorize
