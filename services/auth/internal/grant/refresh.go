package grant

import (
	"context"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/scope"
)

// Refresh is a request with grant_type=refresh_token.
type Refresh struct {
	Client client.Credentials
	Token  string
	// Scope parameter; empty for all that the grant holds.
	Scope string
}

// errInvalidScope is for an attempt to widen a grant, and for a grant of which
// nothing is in force.
var errInvalidScope = errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "The scope exceeds what was granted.").WithField("scope")

// maxScope bounds the scope parameter in bytes.
const maxScope = 1024

// RefreshToken rotates a refresh token. A narrower scope narrows the access token
// only; the new refresh token keeps the grant's (RFC 6749 §6). What the person
// has taken back since is left out. Errors: OAUTH_INVALID_CLIENT,
// DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_UNAUTHORIZED_CLIENT, OAUTH_INVALID_REQUEST,
// OAUTH_INVALID_SCOPE, OAUTH_INVALID_GRANT.
func (g *Granter) RefreshToken(ctx context.Context, r Refresh) (Tokens, error) {
	requested, err := checkRefresh(r)
	if err != nil {
		return Tokens{}, g.refuse(ctx, r.Client, err)
	}
	if !r.Client.Known() {
		return Tokens{}, client.ErrInvalid
	}
	tokens, issue := g.mint()
	scopes, won, err := g.store.Rotate(ctx, Rotation{
		Client: r.Client.Prove(), Refresh: credential.Hash(r.Token), Scopes: requested,
	}, issue)
	if err != nil {
		return Tokens{}, err
	}
	if !won {
		return Tokens{}, g.whyNotRotated(ctx, r, requested)
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
		return nil, ErrInvalidGrant
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

// whyNotRotated finds the reason, and ends the family when its own client
// presents a rotated token again.
func (g *Granter) whyNotRotated(ctx context.Context, r Refresh, requested scope.Set) error {
	c, err := client.Authenticate(ctx, g.store, r.Client)
	if err != nil {
		return err
	}
	f, found, err := g.store.Family(ctx, credential.Hash(r.Token))
	if err != nil {
		return err
	}
	switch {
	case found && f.AppID == c.App.ID && f.Rotated:
		return g.endFamily(ctx, f.ID)
	case !c.MayUseGrants():
		return ErrUnauthorizedClient
	case !found || f.AppID != c.App.ID:
		return ErrInvalidGrant
	case f.Revoked || !f.Connected || !f.ExpiresAt.After(g.clock.Now()):
		return ErrInvalidGrant
	case requested == nil && len(f.Scopes.And(f.ConnectionScopes)) == 0,
		requested != nil && (!requested.Within(f.Scopes) || len(requested.And(f.ConnectionScopes)) == 0):
		return errInvalidScope
	}
	// What refused it has changed since. The token is untouched, and works when sent again.
	return ErrInvalidGrant
}
