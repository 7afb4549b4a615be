// Package token describes tokens (RFC 7662) and revokes them (RFC 7009) for the
// client that owns them. A token of the older interface can also be revoked by
// itself.
//
// It must never let a client learn anything of another client's token, not even
// that it exists.
package token

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/scope"
)

// Hash is the SHA-256 of a token.
type Hash = [32]byte

// Kind is the kind of a token.
type Kind int

// The kinds of token.
const (
	Access Kind = iota + 1
	Refresh
)

// Description is what a token is. Only a live one has more than Active.
type Description struct {
	Active       bool
	Scopes       scope.Set
	ClientID     string
	PersonID     string
	ConnectionID string
	ExpiresAt    time.Time
}

// Store keeps tokens.
type Store interface {
	client.Store
	// Introspect reads a client and, when the hash is of the client's own live
	// token of the kind, its description, in one round trip. client.ErrInvalid.
	Introspect(ctx context.Context, clientID string, kind Kind, hash Hash, now time.Time) (client.Client, Description, error)
	// RevokeAccess revokes an access token of the app, if it is one.
	RevokeAccess(ctx context.Context, appID string, hash Hash, now time.Time) (forget.Order, error)
	// RevokeRefresh revokes the family of a refresh token of the app, live or
	// rotated, the connection's live access tokens and its durable links (spec:
	// Credentials and consent), if it is one.
	RevokeRefresh(ctx context.Context, appID string, hash Hash, now time.Time) (forget.Order, error)
	// RevokeLegacy revokes an access token of the older interface;
	// livestate.ErrExpired; livestate.ErrUnknown, with the order of an end before if
	// that is still open.
	RevokeLegacy(ctx context.Context, hash Hash, now time.Time) (forget.Order, error)
}

// Teller makes Redis forget what a committed change made stale.
type Teller interface {
	Tell(ctx context.Context, o forget.Order) error
}

// Tokens describes and revokes tokens.
type Tokens struct {
	store  Store
	teller Teller
	clock  clock.Clock
}

// New makes a Tokens.
func New(store Store, teller Teller, c clock.Clock) *Tokens {
	return &Tokens{store: store, teller: teller, clock: c}
}

// Introspect describes a token. What is not the client's own live token is
// inactive, whatever the reason. Errors: OAUTH_INVALID_CLIENT,
// DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_INVALID_REQUEST.
func (t *Tokens) Introspect(ctx context.Context, given client.Credentials, token string) (Description, error) {
	if !given.Known() {
		return Description{}, client.ErrInvalid
	}
	kind, known := kindOf(token)
	if !known {
		kind = Access // its hash is nobody's; the look-up is for the client alone
	}
	c, d, err := t.store.Introspect(ctx, given.ID, kind, credential.Hash(token), t.clock.Now())
	if err != nil {
		return Description{}, err
	}
	if err := c.Check(given); err != nil {
		return Description{}, err
	}
	if token == "" {
		return Description{}, errMissing
	}
	return d, nil
}

// Revoke revokes a token. It succeeds for whatever is not the client's own
// token, which stays untouched. Errors: OAUTH_INVALID_CLIENT,
// DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_INVALID_REQUEST.
func (t *Tokens) Revoke(ctx context.Context, given client.Credentials, token string) error {
	c, err := client.Authenticate(ctx, t.store, given)
	if err != nil {
		return err
	}
	if token == "" {
		return errMissing
	}
	kind, known := kindOf(token)
	if !known {
		return nil
	}
	revoke := t.store.RevokeAccess
	if kind == Refresh {
		revoke = t.store.RevokeRefresh
	}
	order, err := revoke(ctx, c.App.ID, credential.Hash(token), t.clock.Now())
	if err != nil {
		return err
	}
	return t.teller.Tell(ctx, order)
}

// RevokeLegacy revokes an access token of the older interface, and nothing else.
// It is refused everywhere when this returns, also if something before ended it.
// Errors: livestate.ErrUnknown, livestate.ErrExpired.
func (t *Tokens) RevokeLegacy(ctx context.Context, hash Hash) error {
	order, err := t.store.RevokeLegacy(ctx, hash, t.clock.Now())
	if err != nil && !errors.Is(err, livestate.ErrUnknown) {
		return err
	}
	if untold := t.teller.Tell(ctx, order); untold != nil {
		return untold
	}
	return err
}

var errMissing = errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "The parameter token is missing.").WithField("token")

func kindOf(token string) (Kind, bool) {
	switch {
	case credential.WellFormed(credential.AccessToken, token):
		return Access, true
	case credential.WellFormed(credential.RefreshToken, token):
		return Refresh, true
	default:
		return 0, false
	}
}
