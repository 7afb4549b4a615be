// Package authorize handles authorization requests: it checks a request (RFC 6749 §4.1.1, RFC
// 7636 §4.3; behaviour: sign-in#authorization-request), records the person's consent
// (behaviour: sign-in#optional-scopes) and issues a code.
//
// It must never redirect to a URI that is not registered for the client, and never grant a
// scope that was not requested or that the app may not have.
package authorize
