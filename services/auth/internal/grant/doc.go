// Package grant issues tokens: for an authorization code (RFC 6749 §4.1.3, RFC
// 7636 §4.6) and for a refresh token (RFC 6749 §6).
//
// The winning path is one statement that authenticates the client, uses up what
// was presented and issues what replaces it. Only when it finds nothing to do is
// the reason looked for, and that never changes who won.
//
// A code is used up by a successful exchange alone. A wrong redirect_uri or
// verifier does not burn it (neither RFC 6749 nor RFC 9700 asks for that): the
// honest client can still redeem it, and whoever stole it learns nothing from the
// answer, which is the same for every reason, and cannot guess a verifier of 256
// bits within ten minutes.
//
// A used code, or a rotated refresh token, that its own client presents again
// ends its family (decisions 13 and 14). Presented by another client it harms
// nobody.
//
// Codes of the older profile-sharing interface (decision 44) are exchanged without
// PKCE and give an access token alone, in a family without a refresh token. A code
// of one interface is none at the other's exchange.
package grant
