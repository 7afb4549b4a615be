// Package oauth serves the OAuth endpoints: the discovery document (RFC 8414), the first step of the
// authorization endpoint (RFC 6749 §4.1.1), and the form endpoints token, introspect and revoke (RFC 6749,
// 7662, 7009).
//
// The package must never decide whether a client, a code or a token is valid. The auth service decides,
// either when it is called or through the session records that it has written (package introspection).
package oauth
