// Package grant issues tokens: for an authorization code (RFC 6749 §4.1.3, RFC 7636
// §4.6) and for a refresh token (RFC 6749 §6).
//
// A successful exchange is one SQL statement. It authenticates the client, uses up the
// code or the refresh token, and issues the new tokens. If the statement finds nothing to
// do, the package looks for the reason, which never changes the outcome.
//
// Only a successful exchange uses up a code. A wrong redirect_uri or verifier does not
// (neither RFC 6749 nor RFC 9700 asks for that): the honest client can still redeem the
// code. A thief learns nothing, because the answer is the same for every reason, and
// cannot guess a verifier of 256 bits within ten minutes.
//
// If a client presents its own used code or rotated refresh token again, the token family
// ends, and the durable links of its connection with it. If another client presents it,
// nothing happens
// (behaviour: tokens#a-code-is-used-once, tokens#refresh-rotation, tokens#theft-ends-everything-it-gave).
//
// A code of the legacy interface is exchanged without PKCE for an access token alone,
// whose family has no refresh token. Codes of one interface cannot be exchanged at the
// other (behaviour: legacy#codes-are-apart).
package grant
