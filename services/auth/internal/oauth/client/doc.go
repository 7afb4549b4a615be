// Package client authenticates OAuth clients (RFC 6749 §2.3;
// behaviour: tokens#client-authentication) in one place, so that every grant makes the same checks.
//
// It must never reveal why an authentication failed: an unknown client and a wrong secret
// return the same error.
package client
