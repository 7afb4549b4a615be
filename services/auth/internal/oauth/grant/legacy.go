package grant

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
)

// rememberExpired is how long the service can distinguish an expired legacy token from an unknown one
// (behaviour: legacy#expired-tokens).
const rememberExpired = 30 * 24 * time.Hour

// LegacyExchange is a request to exchange a legacy code.
type LegacyExchange struct {
	Client client.Credentials
	Code   string
}

// LegacyToken is an access token issued by the legacy interface.
type LegacyToken struct {
	Access    string
	ExpiresIn time.Duration
	Scopes    scope.Set
}

// LegacyRedemption holds the data needed to exchange a legacy code.
type LegacyRedemption struct {
	Client              client.Proof
	Code, Access        credential.Digest
	At, AccessExpiresAt time.Time
	FamilyID            string
	// FamilyUntil is how long the token is stored, whether or not it is still live.
	FamilyUntil time.Time
}

// AuthenticateLegacy authenticates a client of the legacy interface. If the client's account is suspended, it
// accepts the client and sets Client.Suspended. Errors: OAUTH_INVALID_CLIENT.
func (s *Service) AuthenticateLegacy(ctx context.Context, given client.Credentials) (client.Client, error) {
	c, err := client.AuthenticateLegacy(ctx, s.store, given, s.clock.Now())
	if errors.Is(err, account.ErrSuspended) {
		return c, nil
	}
	return c, err
}

// ExchangeLegacyCode redeems a legacy code. Errors: OAUTH_INVALID_CLIENT,
// DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_INVALID_REQUEST, OAUTH_INVALID_GRANT.
func (s *Service) ExchangeLegacyCode(ctx context.Context, e LegacyExchange) (LegacyToken, error) {
	if err := checkLegacyExchange(e); err != nil {
		return LegacyToken{}, s.refuseLegacy(ctx, e.Client, err)
	}
	if !e.Client.Known() {
		return LegacyToken{}, client.ErrInvalid
	}
	now, access := s.clock.Now(), credential.New(credential.AccessToken)
	expires := now.Add(s.accessLife)
	scopes, won, err := s.store.RedeemLegacyCode(ctx, LegacyRedemption{
		Client: e.Client.Prove(), Code: credential.Hash(e.Code), Access: credential.Hash(access),
		At: now, AccessExpiresAt: expires, FamilyID: id.New("fam"), FamilyUntil: expires.Add(rememberExpired),
	})
	if err != nil {
		return LegacyToken{}, err
	}
	if !won {
		c, err := client.AuthenticateLegacy(ctx, s.store, e.Client, s.clock.Now())
		if err != nil {
			return LegacyToken{}, err
		}
		return LegacyToken{}, s.whyNotRedeemed(ctx, c, Exchange{Code: e.Code})
	}
	return LegacyToken{Access: access, ExpiresIn: s.accessLife, Scopes: scopes}, nil
}

func checkLegacyExchange(e LegacyExchange) error {
	switch {
	case e.Code == "":
		return invalidRequest("code", "The parameter code is missing.")
	case !credential.WellFormed(credential.AuthorizationCode, e.Code):
		return invalidGrant(malformedCode)
	}
	return nil
}

// refuseLegacy is like refuse, but for the legacy interface.
func (s *Service) refuseLegacy(ctx context.Context, given client.Credentials, reason error) error {
	if _, err := client.AuthenticateLegacy(ctx, s.store, given, s.clock.Now()); err != nil {
		return err
	}
	return reason
}
