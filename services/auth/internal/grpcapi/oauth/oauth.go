package oauth

import (
	"context"
	"strings"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grpcapi/platform"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
)

type oauthServer struct {
	authv1.UnimplementedOAuthServiceServer
	authorizations *authorize.Service
	grants         *grant.Service
	tokens         *token.Service
}

func (s *oauthServer) CheckAuthorization(ctx context.Context, req *authv1.CheckAuthorizationRequest) (*authv1.CheckAuthorizationResponse, error) {
	checked, fault, err := s.authorizations.Check(ctx, parametersFromProto(req.GetParameters()))
	if err != nil {
		return nil, err
	}
	return &authv1.CheckAuthorizationResponse{
		App: platform.AppToProto(checked.App), Scopes: checked.Scopes, Fault: faultToProto(fault),
		PublisherName: checked.Publisher.Name, PublisherVerified: checked.Publisher.Verified, PublisherOwn: checked.Publisher.Own,
	}, nil
}

func (s *oauthServer) Authorize(ctx context.Context, req *authv1.AuthorizeRequest) (*authv1.AuthorizeResponse, error) {
	code, fault, err := s.authorizations.Authorize(ctx, parametersFromProto(req.GetParameters()), authorize.Decision{
		Session: req.GetSessionToken(), Scopes: req.GetGrantedScopes(), Declined: req.GetDeclinedScopes(), CvID: req.GetCvId(), SharePhoto: req.GetSharePhoto(), Keep: req.GetKeep(),
	})
	if err != nil {
		return nil, err
	}
	refuse(ctx, fault)
	return &authv1.AuthorizeResponse{Code: code, Fault: faultToProto(fault)}, nil
}

func (s *oauthServer) DeclineAuthorization(ctx context.Context, req *authv1.DeclineAuthorizationRequest) (*authv1.DeclineAuthorizationResponse, error) {
	fault, err := s.authorizations.Decline(ctx, parametersFromProto(req.GetParameters()), req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	refuse(ctx, fault)
	return &authv1.DeclineAuthorizationResponse{}, nil
}

// refuse records a rejected authorization request in the audit log. The gRPC call itself succeeds, so its event
// would otherwise show no error.
func refuse(ctx context.Context, fault *authorize.Fault) {
	if fault != nil {
		audit.FromContext(ctx).Refuse("OAUTH_" + strings.ToUpper(fault.Code))
	}
}

func (s *oauthServer) ExchangeCode(ctx context.Context, req *authv1.ExchangeCodeRequest) (*authv1.ExchangeCodeResponse, error) {
	tokens, err := s.grants.ExchangeCode(ctx, grant.Exchange{
		Client: credentialsFromProto(req.GetClient()), Code: req.GetCode(),
		RedirectURI: req.GetRedirectUri(), Verifier: req.GetCodeVerifier(),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.ExchangeCodeResponse{Tokens: tokensToProto(tokens)}, nil
}

func (s *oauthServer) RefreshToken(ctx context.Context, req *authv1.RefreshTokenRequest) (*authv1.RefreshTokenResponse, error) {
	tokens, err := s.grants.RefreshToken(ctx, grant.Refresh{
		Client: credentialsFromProto(req.GetClient()), Token: req.GetRefreshToken(), Scope: req.GetScope(),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.RefreshTokenResponse{Tokens: tokensToProto(tokens)}, nil
}

func (s *oauthServer) IntrospectToken(ctx context.Context, req *authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
	d, err := s.tokens.Introspect(ctx, credentialsFromProto(req.GetClient()), req.GetToken(), token.Leave{
		Client: req.GetLeaveClientRecord(), Token: req.GetLeaveTokenRecord(),
	})
	if err != nil {
		return nil, err
	}
	return descriptionToProto(d), nil
}

func (s *oauthServer) RevokeToken(ctx context.Context, req *authv1.RevokeTokenRequest) (*authv1.RevokeTokenResponse, error) {
	return &authv1.RevokeTokenResponse{}, s.tokens.Revoke(ctx, credentialsFromProto(req.GetClient()), req.GetToken())
}
