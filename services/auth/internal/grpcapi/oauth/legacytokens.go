package oauth

import (
	"context"

	"vitae.internal/pkg/credential"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
)

type legacyTokenServer struct {
	authv1.UnimplementedLegacyTokenServiceServer
	grants *grant.Service
	tokens *token.Service
}

func (s *legacyTokenServer) AuthenticateLegacyClient(ctx context.Context, req *authv1.AuthenticateLegacyClientRequest) (*authv1.AuthenticateLegacyClientResponse, error) {
	c, err := s.grants.AuthenticateLegacy(ctx, credentialsFromProto(req.GetClient()))
	if err != nil {
		return nil, err
	}
	return &authv1.AuthenticateLegacyClientResponse{
		AppId: c.App.ID, AccountId: c.App.AccountID, AccountSuspended: c.Suspended,
	}, nil
}

func (s *legacyTokenServer) ExchangeLegacyCode(ctx context.Context, req *authv1.ExchangeLegacyCodeRequest) (*authv1.ExchangeLegacyCodeResponse, error) {
	issued, err := s.grants.ExchangeLegacyCode(ctx, grant.LegacyExchange{Client: credentialsFromProto(req.GetClient()), Code: req.GetCode()})
	if err != nil {
		return nil, err
	}
	return &authv1.ExchangeLegacyCodeResponse{
		AccessToken: issued.Access, ExpiresIn: int32(issued.ExpiresIn.Seconds()), Scopes: issued.Scopes,
	}, nil
}

func (s *legacyTokenServer) RevokeLegacyToken(ctx context.Context, req *authv1.RevokeLegacyTokenRequest) (*authv1.RevokeLegacyTokenResponse, error) {
	if len(req.GetHash()) != len(credential.Digest{}) {
		return nil, state.ErrUnknown
	}
	return &authv1.RevokeLegacyTokenResponse{}, s.tokens.RevokeLegacy(ctx, credential.Digest(req.GetHash()))
}
