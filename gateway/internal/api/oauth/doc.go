// Package oauth serves the OAuth endpoints: the discovery document (RFC 8414), the first step of the
// authorization endpoint (RFC 6749 §4.1.1), and the form endpoints token, introspect and revoke (RFC 6749,
// 7662, 7009).
//
// The package must never decide whether a client, a code or a token is valid. That is decided by auth, or by
// the session records that auth has written (package introspection).
package oauth
