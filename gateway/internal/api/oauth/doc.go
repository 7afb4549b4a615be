// Package oauth holds the handlers of the OAuth endpoints: the discovery document
// (RFC 8414), the first step of the authorization endpoint (RFC 6749 §4.1.1), and
// the form endpoints token, introspect and revoke (RFC 6749, 7662, 7009).
//
// It reads requests strictly and writes answers as the RFCs say. It must never
// decide whether a client, a code or a token is valid: auth does, or the records that auth
// has written say that both a client and its token are (package introspection).
package oauth
