// Package grant issues tokens for an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.6) and for a refresh token
// (RFC 6749 §6).
//
// A successful exchange is one SQL statement: it authenticates the client, consumes the code or refresh token, and
// issues the new tokens. If the statement changes nothing, the package determines the reason, which never changes
// the outcome.
//
// Only a successful exchange consumes a code. A wrong redirect_uri or verifier doesn't, so the honest client can
// still redeem the code; neither RFC 6749 nor RFC 9700 requires otherwise. A thief cannot guess a verifier of 256
// bits within ten minutes, and learns nothing from failed attempts, because the response is the same for every
// reason.
//
// If a client presents its own consumed code or rotated refresh token again, the token family is revoked, together
// with the durable links of its connection. If a different client presents it, nothing happens
// (behaviour: tokens#single-use-codes, tokens#refresh-rotation, tokens#replay-revokes-tokens-and-links).
//
// A legacy code is exchanged without PKCE, for an access token only; its family has no refresh token. Codes of one
// interface cannot be exchanged through the other (behaviour: legacy#separate-codes).
package grant
