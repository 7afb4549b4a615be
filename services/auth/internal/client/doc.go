// Package client is OAuth client authentication (RFC 6749 §2.3; spec: OAuth
// client authentication), in one place, so that no grant can forget a part of it.
//
// It must never say why authentication failed: an unknown client and a wrong
// secret are one error.
package client
