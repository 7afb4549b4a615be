package grant

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
)

// Store stores codes and token families. RedeemCode, RedeemLegacyCode and Rotate do nothing after the deadline of
// ctx, even if a frozen database executes them later. By then, the client has received a 503 response and will retry
// (behaviour: errors#late-requests-are-not-executed).
type Store interface {
	client.Store
	// RedeemCode consumes a code and issues tokens if the proof authenticates the client and the code is live and
	// matches the redemption. Otherwise it does nothing and returns false.
	RedeemCode(ctx context.Context, r Redemption, p Issue) (scope.Set, bool, error)
	// RedeemLegacyCode consumes a legacy code and issues an access token if the proof authenticates a client of the
	// legacy interface and the code is live and matches the redemption. Otherwise it does nothing and returns false.
	RedeemLegacyCode(ctx context.Context, r LegacyRedemption) (scope.Set, bool, error)
	// Code reads a code. It returns false if the code doesn't exist.
	Code(ctx context.Context, hash credential.Digest) (Code, bool, error)
	// Rotate replaces a refresh token and issues an access token if the proof authenticates
	// the client and the token is live. Otherwise it does nothing and returns false.
	Rotate(ctx context.Context, r Rotation, p Issue) (scope.Set, bool, error)
	// Family finds the family of a live or rotated refresh token. It returns false if there is none.
	Family(ctx context.Context, refresh credential.Digest) (Family, bool, error)
	// EndFamily revokes the refresh token and access tokens of a family, and ends the durable links
	// of its connection (behaviour: tokens#replay-revokes-tokens-and-links). It does nothing if the
	// family is already revoked.
	EndFamily(ctx context.Context, familyID string, now time.Time) (revocation.Entry, error)
}

// Issue holds the tokens to be stored.
type Issue struct {
	Access, Refresh                   credential.Digest
	At, AccessExpiresAt, RefreshUntil time.Time
}

// Redemption holds the data needed to exchange a code.
type Redemption struct {
	Client      client.Proof
	Code        credential.Digest
	RedirectURI string
	// Challenge is computed from the presented verifier.
	Challenge string
	FamilyID  string
}

// Rotation holds the data needed to exchange a refresh token.
type Rotation struct {
	Client  client.Proof
	Refresh credential.Digest
	// Scopes are the requested scopes. If nil, all scopes of the grant are requested.
	Scopes scope.Set
}

// Code is a stored authorization code.
type Code struct {
	AppID string
	Used  bool
	// FamilyID is the token family that was issued for the code, or empty if the code has not been used.
	FamilyID string
	// RedirectURI and Challenge come from the authorization request.
	RedirectURI, Challenge string
	Revoked                bool
	ExpiresAt              time.Time
}

// Family is a stored family of refresh tokens.
type Family struct {
	ID    string
	AppID string
	// Rotated is true if the family was found by a refresh token that has been rotated.
	Rotated   bool
	Revoked   bool
	ExpiresAt time.Time
	// Scopes are the scopes of the grant.
	Scopes scope.Set
	// ConnectionScopes are the scopes in force. Connected reports whether the connection is live.
	ConnectionScopes scope.Set
	Connected        bool
}
