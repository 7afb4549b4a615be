package grant

import (
	"context"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/scope"
)

// Hash is the SHA-256 of a token or code.
type Hash = [32]byte

// ErrInvalidGrant is the one answer for whatever is wrong with what was presented.
var ErrInvalidGrant = errs.New(errs.Invalid, "OAUTH_INVALID_GRANT",
	"The grant is invalid, expired, already used, or was issued to another client.")

// ErrUnauthorizedClient is for a client whose app may ask nobody for anything.
var ErrUnauthorizedClient = errs.New(errs.Invalid, "OAUTH_UNAUTHORIZED_CLIENT", "The app may not use this grant type.")

// Store keeps codes and token families.
type Store interface {
	client.Store
	// RedeemCode uses a code and issues tokens, if the proof authenticates the
	// client and everything matches; false otherwise, with nothing done.
	RedeemCode(ctx context.Context, r Redemption, p Issue) (scope.Set, bool, error)
	// RedeemLegacyCode uses a code of the older interface and issues an access token,
	// if the proof authenticates a client that may use that interface and everything
	// matches; false otherwise, with nothing done.
	RedeemLegacyCode(ctx context.Context, r LegacyRedemption) (scope.Set, bool, error)
	// Code reads a code; false when there is none.
	Code(ctx context.Context, hash Hash) (Code, bool, error)
	// Rotate replaces a refresh token and issues an access token, if the proof
	// authenticates the client and the token is live; false otherwise, with nothing
	// done.
	Rotate(ctx context.Context, r Rotation, p Issue) (scope.Set, bool, error)
	// Family finds a family by a refresh token, live or rotated; false when there
	// is none.
	Family(ctx context.Context, refresh Hash) (Family, bool, error)
	// EndFamily revokes the refresh token and the access tokens of a family.
	EndFamily(ctx context.Context, familyID string, now time.Time) (forget.Order, error)
}

// Issue is what a grant issues.
type Issue struct {
	Access, Refresh                   Hash
	At, AccessExpiresAt, RefreshUntil time.Time
}

// Redemption is the exchange of a code.
type Redemption struct {
	Client      client.Proof
	Code        Hash
	RedirectURI string
	// Challenge is the one that the presented verifier answers.
	Challenge string
	FamilyID  string
}

// Rotation is the exchange of a refresh token.
type Rotation struct {
	Client  client.Proof
	Refresh Hash
	// Scopes requested; nil for all that the grant holds.
	Scopes scope.Set
}

// Code is what is kept of an authorization code.
type Code struct {
	AppID string
	Used  bool
	// FamilyID is what the exchange issued; empty while unused.
	FamilyID string
}

// Family is what is kept of a refresh token family.
type Family struct {
	ID    string
	AppID string
	// Rotated says that the token it was found by is no longer the live one.
	Rotated   bool
	Revoked   bool
	ExpiresAt time.Time
	// Scopes of the grant.
	Scopes scope.Set
	// ConnectionScopes are in force; Connected says whether there is a live connection.
	ConnectionScopes scope.Set
	Connected        bool
}

// Teller makes Redis forget what a committed change made stale.
type Teller interface {
	Tell(ctx context.Context, o forget.Order) error
}

// Lives are how long tokens live.
type Lives struct {
	Access, Refresh time.Duration
}

// Tokens are an issued pair.
type Tokens struct {
	Access, Refresh string
	ExpiresIn       time.Duration
	// Scopes of the access token.
	Scopes scope.Set
}

// Granter issues tokens.
type Granter struct {
	store  Store
	teller Teller
	lives  Lives
	clock  clock.Clock
}

// New makes a granter.
func New(store Store, teller Teller, lives Lives, c clock.Clock) *Granter {
	return &Granter{store: store, teller: teller, lives: lives, clock: c}
}

func (g *Granter) mint() (Tokens, Issue) {
	t := Tokens{
		Access:    credential.New(credential.AccessToken),
		Refresh:   credential.New(credential.RefreshToken),
		ExpiresIn: g.lives.Access,
	}
	now := g.clock.Now()
	return t, Issue{
		Access: credential.Hash(t.Access), Refresh: credential.Hash(t.Refresh),
		At: now, AccessExpiresAt: now.Add(g.lives.Access), RefreshUntil: now.Add(g.lives.Refresh),
	}
}

// endFamily answers a replay: Redis has forgotten the family's tokens before the
// caller hears of it.
func (g *Granter) endFamily(ctx context.Context, familyID string) error {
	order, err := g.store.EndFamily(ctx, familyID, g.clock.Now())
	if err != nil {
		return err
	}
	if err := g.teller.Tell(ctx, order); err != nil {
		return err
	}
	return ErrInvalidGrant
}

// refuse authenticates the client first, so that a stranger hears nothing but
// that.
func (g *Granter) refuse(ctx context.Context, given client.Credentials, reason error) error {
	c, err := client.Authenticate(ctx, g.store, given)
	switch {
	case err != nil:
		return err
	case !c.MayUseGrants():
		return ErrUnauthorizedClient
	}
	return reason
}

func invalidRequest(field, message string) error {
	return errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "%s", message).WithField(field)
}
