// Package token introspects tokens (RFC 7662) and revokes them (RFC 7009) for the client that
// owns them. It also revokes single tokens of the legacy interface.
//
// It must never reveal anything about another client's token, not even that it exists.
package token
