package token

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
)

// Kind is a kind of token.
type Kind int

// The kinds of tokens.
const (
	Access Kind = iota + 1
	Refresh
)

// Description describes a token. If the token is not live, all fields except Active are empty.
type Description struct {
	Active       bool
	Scopes       scope.Set
	ClientID     string
	PersonID     string
	ConnectionID string
	ExpiresAt    time.Time
}

// Family is the stored family of a refresh token.
type Family struct {
	AppID     string
	ExpiresAt time.Time
}

// MayBeRevokedBy reports whether the app may revoke the family: the app must own it, and it must not have expired. A
// revoked family may be revoked again.
func (f Family) MayBeRevokedBy(appID string, now time.Time) bool {
	return f.AppID == appID && f.ExpiresAt.After(now)
}

// Store stores tokens.
type Store interface {
	client.Store
	// Introspect reads a client. If the hash belongs to a live token of that client and of the given kind, it also
	// returns the token's description. It needs only one round trip. Errors: client.ErrInvalid.
	Introspect(ctx context.Context, clientID string, kind Kind, hash credential.Digest, now time.Time) (client.Client, Description, error)
	// RevokeAccess revokes an access token of the app if it exists. It revokes a legacy token in the same way as
	// RevokeLegacy.
	RevokeAccess(ctx context.Context, appID string, hash credential.Digest, now time.Time) (revocation.Entry, error)
	// RevokeRefresh finds the family of a live or rotated refresh token. If mayRevoke allows it, RevokeRefresh
	// revokes the family, the connection's live access tokens and its durable links
	// (behaviour: tokens#token-states). It does nothing if there is no such family.
	RevokeRefresh(ctx context.Context, hash credential.Digest, now time.Time, mayRevoke func(Family) bool) (revocation.Entry, error)
	// RevokeLegacy revokes a legacy access token. If it was the last live token of its consent, RevokeLegacy also
	// ends the consent's durable link (behaviour: legacy#cv-url). If the token has expired, it returns
	// state.ErrExpired. If the token is not live for another reason, it returns state.ErrUnknown, together with the
	// entry of an earlier revocation if that entry is still pending.
	RevokeLegacy(ctx context.Context, hash credential.Digest, now time.Time) (revocation.Entry, error)
}
