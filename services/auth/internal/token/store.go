package token

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/revocation"
	"vitae.internal/services/auth/internal/scope"
)

// Kind is the kind of a token.
type Kind int

// The kinds of token.
const (
	Access Kind = iota + 1
	Refresh
)

// Description describes a token. All fields but Active are empty if it is not live.
type Description struct {
	Active       bool
	Scopes       scope.Set
	ClientID     string
	PersonID     string
	ConnectionID string
	ExpiresAt    time.Time
}

// Family is what is stored of the family of a refresh token.
type Family struct {
	AppID     string
	ExpiresAt time.Time
}

// MayBeRevokedBy reports whether the app may revoke the family: the family is the app's
// own and has not expired. A family that is revoked already may be revoked again.
func (f Family) MayBeRevokedBy(appID string, now time.Time) bool {
	return f.AppID == appID && f.ExpiresAt.After(now)
}

// Store keeps tokens.
type Store interface {
	client.Store
	// Introspect reads a client and, if the hash is that of a live token of the client
	// and the kind, its description, in one round trip. Errors: client.ErrInvalid.
	Introspect(ctx context.Context, clientID string, kind Kind, hash credential.Digest, now time.Time) (client.Client, Description, error)
	// RevokeAccess revokes an access token of the app. It does nothing if there is none.
	// For a token of the legacy interface it does what RevokeLegacy does.
	RevokeAccess(ctx context.Context, appID string, hash credential.Digest, now time.Time) (revocation.Entry, error)
	// RevokeRefresh finds the family of a refresh token, live or rotated. If mayRevoke
	// allows it, it revokes the family, the live access tokens of the connection and its
	// durable links (behaviour: tokens#token-states). It does nothing if there is no such family.
	RevokeRefresh(ctx context.Context, hash credential.Digest, now time.Time, mayRevoke func(Family) bool) (revocation.Entry, error)
	// RevokeLegacy revokes an access token of the legacy interface, and ends the durable
	// link of its consent if no other token of it is live (behaviour: legacy#cv-url). Errors:
	// credentialstate.ErrExpired; credentialstate.ErrUnknown, together with the entry of
	// an earlier end if that is still pending.
	RevokeLegacy(ctx context.Context, hash credential.Digest, now time.Time) (revocation.Entry, error)
}
