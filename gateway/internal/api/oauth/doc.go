// Package oauth is the HTTP face of the authorization server: the discovery
// document (RFC 8414), the authorization endpoint's first step (RFC 6749 §4.1.1),
// and the form endpoints token, introspect and revoke (RFC 6749, 7662, 7009).
//
// It reads requests strictly and writes answers to the letter. Whether a client,
// a code or a token is good, auth alone decides; nothing here may answer for it.
package oauth
