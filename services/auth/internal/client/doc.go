// Package client authenticates OAuth clients (RFC 6749 §2.3; behaviour: tokens#client-authentication)
// in one place, so that no grant can forget a part of it.
//
// It must never say why an authentication failed: an unknown client and a wrong secret
// are one error.
package client
