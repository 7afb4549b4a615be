package grant

import (
	"context"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
)

// Refresh is a token request with grant_type=refresh_token.
type Refresh struct {
	Client client.Credentials
	Token  string
	// Scope is the scope parameter. If it is empty, all scopes of the grant are requested.
	Scope string
}

// maxScope is the maximum length of the scope parameter in bytes, as in the OpenAPI document.
const maxScope = 4096

// RefreshToken rotates a refresh token. The scope parameter narrows only the access token; the new refresh token
// keeps all scopes of the grant (RFC 6749 §6; behaviour: tokens#narrower-refresh). Scopes that the person has
// withdrawn are omitted. Errors: OAUTH_INVALID_CLIENT, DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_UNAUTHORIZED_CLIENT,
// OAUTH_INVALID_REQUEST, OAUTH_INVALID_SCOPE, OAUTH_INVALID_GRANT.
func (s *Service) RefreshToken(ctx context.Context, r Refresh) (Tokens, error) {
	requested, err := checkRefresh(r)
	if err != nil {
		return Tokens{}, s.refuse(ctx, r.Client, err)
	}
	if !r.Client.Known() {
		return Tokens{}, client.ErrInvalid
	}
	tokens, issue := s.mint()
	scopes, won, err := s.store.Rotate(ctx, Rotation{
		Client: r.Client.Prove(), Refresh: credential.Hash(r.Token), Scopes: requested,
	}, issue)
	if err != nil {
		return Tokens{}, err
	}
	if !won {
		return Tokens{}, s.whyNotRotated(ctx, r, requested)
	}
	tokens.Scopes = scopes
	return tokens, nil
}

func checkRefresh(r Refresh) (scope.Set, error) {
	switch {
	case r.Token == "":
		return nil, invalidRequest("refresh_token", "The parameter refresh_token is missing.")
	case len(r.Scope) > maxScope:
		return nil, invalidRequest("scope", "The parameter scope is too long.")
	case !credential.WellFormed(credential.RefreshToken, r.Token):
		return nil, invalidGrant("The refresh token is malformed. It may be cut short, or a code in place of a token.")
	}
	requested, err := scope.Parse(r.Scope)
	if err != nil {
		return nil, errInvalidScope
	}
	if len(requested) == 0 {
		return nil, nil
	}
	return requested, nil
}

// whyNotRotated determines why a refresh token was rejected. If a client presents its own rotated
// token again, the family is revoked.
func (s *Service) whyNotRotated(ctx context.Context, r Refresh, requested scope.Set) error {
	c, err := client.Authenticate(ctx, s.store, r.Client, s.clock.Now())
	if err != nil {
		return err
	}
	f, found, err := s.store.Family(ctx, credential.Hash(r.Token))
	if err != nil {
		return err
	}
	switch {
	case found && f.AppID == c.App.ID && f.Rotated:
		return s.endFamily(ctx, f.ID, "The refresh token was used before. All tokens of its sign-in have ended.")
	case !c.MayUseGrants():
		return ErrUnauthorizedClient
	case !found || f.AppID != c.App.ID:
		return invalidGrant("The app has no such refresh token. It was issued to another app, or ended long ago.")
	case !f.Connected:
		return invalidGrant("The person has disconnected the app, or the connection has ended.")
	case f.Revoked:
		return invalidGrant("The tokens of this sign-in were revoked.")
	case !f.ExpiresAt.After(s.clock.Now()):
		return invalidGrant("The refresh token has expired.")
	case requested == nil && len(f.Scopes.And(f.ConnectionScopes)) == 0,
		requested != nil && (!requested.Within(f.Scopes) || len(requested.And(f.ConnectionScopes)) == 0):
		return errInvalidScope
	}
	// The reason for the failure no longer applies. The token was not consumed, so a retry succeeds.
	return invalidGrant("The reason no longer applies. Send the refresh token again.")
}
