package grpcapi

import (
	"context"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grant"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/token"
)

// Legacy serves LegacyTokenService.
type Legacy struct {
	authv1.UnimplementedLegacyTokenServiceServer
	Granter *grant.Granter
	Tokens  *token.Tokens
}

// AuthenticateLegacyClient implements authv1.LegacyTokenServiceServer.
func (l *Legacy) AuthenticateLegacyClient(ctx context.Context, req *authv1.AuthenticateLegacyClientRequest) (*authv1.AuthenticateLegacyClientResponse, error) {
	c, err := l.Granter.AuthenticateLegacy(ctx, toCredentials(req.GetClient()))
	if err != nil {
		return nil, err
	}
	return &authv1.AuthenticateLegacyClientResponse{
		AppId: c.App.ID, AccountId: c.App.AccountID, AccountSuspended: c.Suspended,
	}, nil
}

// ExchangeLegacyCode implements authv1.LegacyTokenServiceServer.
func (l *Legacy) ExchangeLegacyCode(ctx context.Context, req *authv1.ExchangeLegacyCodeRequest) (*authv1.ExchangeLegacyCodeResponse, error) {
	issued, err := l.Granter.ExchangeLegacyCode(ctx, grant.LegacyExchange{Client: toCredentials(req.GetClient()), Code: req.GetCode()})
	if err != nil {
		return nil, err
	}
	return &authv1.ExchangeLegacyCodeResponse{
		AccessToken: issued.Access, ExpiresIn: int32(issued.ExpiresIn.Seconds()), Scopes: issued.Scopes,
	}, nil
}

// RevokeLegacyToken implements authv1.LegacyTokenServiceServer.
func (l *Legacy) RevokeLegacyToken(ctx context.Context, req *authv1.RevokeLegacyTokenRequest) (*authv1.RevokeLegacyTokenResponse, error) {
	if len(req.GetHash()) != len(token.Hash{}) {
		return nil, livestate.ErrUnknown
	}
	return &authv1.RevokeLegacyTokenResponse{}, l.Tokens.RevokeLegacy(ctx, token.Hash(req.GetHash()))
}
