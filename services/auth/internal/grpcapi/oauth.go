package grpcapi

import (
	"context"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/authorize"
	"vitae.internal/services/auth/internal/grant"
	"vitae.internal/services/auth/internal/token"
)

// OAuth serves OAuthService.
type OAuth struct {
	authv1.UnimplementedOAuthServiceServer
	Authorizer *authorize.Authorizer
	Granter    *grant.Granter
	Tokens     *token.Tokens
}

// CheckAuthorization implements authv1.OAuthServiceServer.
func (o *OAuth) CheckAuthorization(ctx context.Context, req *authv1.CheckAuthorizationRequest) (*authv1.CheckAuthorizationResponse, error) {
	checked, fault, err := o.Authorizer.Check(ctx, toParameters(req.GetParameters()))
	if err != nil {
		return nil, err
	}
	return &authv1.CheckAuthorizationResponse{App: fromApp(checked.App), Scopes: checked.Scopes, Fault: fromFault(fault)}, nil
}

// Authorize implements authv1.OAuthServiceServer.
func (o *OAuth) Authorize(ctx context.Context, req *authv1.AuthorizeRequest) (*authv1.AuthorizeResponse, error) {
	code, fault, err := o.Authorizer.Authorize(ctx, toParameters(req.GetParameters()), authorize.Decision{
		Session: req.GetSessionToken(), Scopes: req.GetGrantedScopes(), CvID: req.GetCvId(), SharePhoto: req.GetSharePhoto(),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.AuthorizeResponse{Code: code, Fault: fromFault(fault)}, nil
}

// ExchangeCode implements authv1.OAuthServiceServer.
func (o *OAuth) ExchangeCode(ctx context.Context, req *authv1.ExchangeCodeRequest) (*authv1.ExchangeCodeResponse, error) {
	tokens, err := o.Granter.ExchangeCode(ctx, grant.Exchange{
		Client: toCredentials(req.GetClient()), Code: req.GetCode(),
		RedirectURI: req.GetRedirectUri(), Verifier: req.GetCodeVerifier(),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.ExchangeCodeResponse{Tokens: fromTokens(tokens)}, nil
}

// RefreshToken implements authv1.OAuthServiceServer.
func (o *OAuth) RefreshToken(ctx context.Context, req *authv1.RefreshTokenRequest) (*authv1.RefreshTokenResponse, error) {
	tokens, err := o.Granter.RefreshToken(ctx, grant.Refresh{
		Client: toCredentials(req.GetClient()), Token: req.GetRefreshToken(), Scope: req.GetScope(),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.RefreshTokenResponse{Tokens: fromTokens(tokens)}, nil
}

// IntrospectToken implements authv1.OAuthServiceServer.
func (o *OAuth) IntrospectToken(ctx context.Context, req *authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
	d, err := o.Tokens.Introspect(ctx, toCredentials(req.GetClient()), req.GetToken())
	if err != nil {
		return nil, err
	}
	return fromDescription(d), nil
}

// RevokeToken implements authv1.OAuthServiceServer.
func (o *OAuth) RevokeToken(ctx context.Context, req *authv1.RevokeTokenRequest) (*authv1.RevokeTokenResponse, error) {
	return &authv1.RevokeTokenResponse{}, o.Tokens.Revoke(ctx, toCredentials(req.GetClient()), req.GetToken())
}
