package grant

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/revocation"
	"vitae.internal/services/auth/internal/scope"
)

// Store keeps codes and token families. What redeems or rotates does nothing after the
// deadline of ctx, also if a frozen database runs it later: its caller was told 503 by
// then, and will try again (behaviour: errors#what-was-answered-503-for-lateness).
type Store interface {
	client.Store
	// RedeemCode uses a code and issues tokens, if the proof authenticates the client
	// and everything matches. Otherwise it does nothing and gives false.
	RedeemCode(ctx context.Context, r Redemption, p Issue) (scope.Set, bool, error)
	// RedeemLegacyCode uses a code of the legacy interface and issues an access token, if
	// the proof authenticates a client that may use that interface and everything
	// matches. Otherwise it does nothing and gives false.
	RedeemLegacyCode(ctx context.Context, r LegacyRedemption) (scope.Set, bool, error)
	// Code reads a code; false if there is none.
	Code(ctx context.Context, hash credential.Digest) (Code, bool, error)
	// Rotate replaces a refresh token and issues an access token, if the proof
	// authenticates the client and the token is live. Otherwise it does nothing and
	// gives false.
	Rotate(ctx context.Context, r Rotation, p Issue) (scope.Set, bool, error)
	// Family finds a family by a refresh token, live or rotated; false if there is none.
	Family(ctx context.Context, refresh credential.Digest) (Family, bool, error)
	// EndFamily revokes the refresh token and the access tokens of a family, and ends the
	// durable links of its connection (behaviour: tokens#theft-ends-everything-it-gave).
	// For a family that was revoked before it ends nothing.
	EndFamily(ctx context.Context, familyID string, now time.Time) (revocation.Entry, error)
}

// Issue is what a grant stores of the tokens that it issues.
type Issue struct {
	Access, Refresh                   credential.Digest
	At, AccessExpiresAt, RefreshUntil time.Time
}

// Redemption is the exchange of a code.
type Redemption struct {
	Client      client.Proof
	Code        credential.Digest
	RedirectURI string
	// Challenge is the challenge of the presented verifier.
	Challenge string
	FamilyID  string
}

// Rotation is the exchange of a refresh token.
type Rotation struct {
	Client  client.Proof
	Refresh credential.Digest
	// Scopes requested; nil for all scopes of the grant.
	Scopes scope.Set
}

// Code is what is stored of an authorization code.
type Code struct {
	AppID string
	Used  bool
	// FamilyID is the family that the exchange issued; empty while unused.
	FamilyID string
	// RedirectURI and Challenge are those of the authorization request.
	RedirectURI, Challenge string
	Revoked                bool
	ExpiresAt              time.Time
}

// Family is what is stored of a refresh token family.
type Family struct {
	ID    string
	AppID string
	// Rotated is true if the family was found by a refresh token that is no longer the
	// live one.
	Rotated   bool
	Revoked   bool
	ExpiresAt time.Time
	// Scopes of the grant.
	Scopes scope.Set
	// ConnectionScopes are in force. Connected is true if the connection is live.
	ConnectionScopes scope.Set
	Connected        bool
}
