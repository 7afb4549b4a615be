package grant

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/scope"
)

// rememberExpired is how long it can be told at least that a token of the older
// interface has expired (decision 44).
const rememberExpired = 30 * 24 * time.Hour

// LegacyExchange is a request to exchange a code of the older interface.
type LegacyExchange struct {
	Client client.Credentials
	Code   string
}

// LegacyToken is what the older interface issues: an access token by itself.
type LegacyToken struct {
	Access    string
	ExpiresIn time.Duration
	Scopes    scope.Set
}

// LegacyRedemption is the exchange of a code of the older interface.
type LegacyRedemption struct {
	Client              client.Proof
	Code, Access        Hash
	At, AccessExpiresAt time.Time
	// FamilyUntil is until when the token is remembered, live or not.
	FamilyID    string
	FamilyUntil time.Time
}

// AuthenticateLegacy authenticates a client of the older interface, also one of a
// suspended account, which the client says. Errors: OAUTH_INVALID_CLIENT.
func (g *Granter) AuthenticateLegacy(ctx context.Context, given client.Credentials) (client.Client, error) {
	c, err := client.AuthenticateLegacy(ctx, g.store, given)
	if errors.Is(err, developer.ErrSuspended) {
		return c, nil
	}
	return c, err
}

// ExchangeLegacyCode redeems an authorization code of the older interface. Errors:
// OAUTH_INVALID_CLIENT, DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_INVALID_REQUEST,
// OAUTH_INVALID_GRANT.
func (g *Granter) ExchangeLegacyCode(ctx context.Context, e LegacyExchange) (LegacyToken, error) {
	if err := checkLegacyExchange(e); err != nil {
		return LegacyToken{}, g.refuseLegacy(ctx, e.Client, err)
	}
	if !e.Client.Known() {
		return LegacyToken{}, client.ErrInvalid
	}
	now, access := g.clock.Now(), credential.New(credential.AccessToken)
	expires := now.Add(g.lives.Access)
	scopes, won, err := g.store.RedeemLegacyCode(ctx, LegacyRedemption{
		Client: e.Client.Prove(), Code: credential.Hash(e.Code), Access: credential.Hash(access),
		At: now, AccessExpiresAt: expires, FamilyID: id.New("fam"), FamilyUntil: expires.Add(rememberExpired),
	})
	if err != nil {
		return LegacyToken{}, err
	}
	if !won {
		c, err := client.AuthenticateLegacy(ctx, g.store, e.Client)
		if err != nil {
			return LegacyToken{}, err
		}
		return LegacyToken{}, g.whyNotRedeemed(ctx, c, e.Code)
	}
	return LegacyToken{Access: access, ExpiresIn: g.lives.Access, Scopes: scopes}, nil
}

func checkLegacyExchange(e LegacyExchange) error {
	switch {
	case e.Code == "":
		return invalidRequest("code", "The parameter code is missing.")
	case !credential.WellFormed(credential.AuthorizationCode, e.Code):
		return ErrInvalidGrant
	}
	return nil
}

// refuseLegacy is refuse for the older interface.
func (g *Granter) refuseLegacy(ctx context.Context, given client.Credentials, reason error) error {
	if _, err := client.AuthenticateLegacy(ctx, g.store, given); err != nil {
		return err
	}
	return reason
}
