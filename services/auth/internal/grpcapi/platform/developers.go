package platform

import (
	"context"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

type developerServer struct {
	authv1.UnimplementedDeveloperServiceServer
	accounts *account.Service
	apps     *app.Service
	// plans holds the budgets of the named plans.
	plans account.Plans
}

func (s *developerServer) CreateAccount(ctx context.Context, req *authv1.CreateAccountRequest) (*authv1.CreateAccountResponse, error) {
	a, err := s.accounts.CreateAccount(ctx, account.Creation{
		Name: req.GetName(), Email: req.GetEmail(), Plan: planFromProto(req.GetPlan()), Owner: PersonOf(ctx), ValidateOnly: req.GetValidateOnly(),
	})
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreateAccountResponse{}, err
	}
	made := accountToProto(a, s.plans)
	if PersonOf(ctx) != "" {
		made.Role = optionsv1.Role_ROLE_OWNER
	}
	return &authv1.CreateAccountResponse{Account: made}, nil
}

func (s *developerServer) GetAccount(ctx context.Context, req *authv1.GetAccountRequest) (*authv1.GetAccountResponse, error) {
	a, err := s.accounts.Account(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	read := accountToProto(a, s.plans)
	read.Role = roleOf(ctx)
	return &authv1.GetAccountResponse{Account: read}, nil
}

func (s *developerServer) SuspendAccount(ctx context.Context, req *authv1.SuspendAccountRequest) (*authv1.SuspendAccountResponse, error) {
	a, err := s.accounts.Suspend(ctx, req.GetId(), req.GetReason())
	if err != nil {
		return nil, err
	}
	return &authv1.SuspendAccountResponse{Account: accountToProto(a, s.plans)}, nil
}

func (s *developerServer) ResumeAccount(ctx context.Context, req *authv1.ResumeAccountRequest) (*authv1.ResumeAccountResponse, error) {
	a, err := s.accounts.Resume(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.ResumeAccountResponse{Account: accountToProto(a, s.plans)}, nil
}

func (s *developerServer) SetAccountPlan(ctx context.Context, req *authv1.SetAccountPlanRequest) (*authv1.SetAccountPlanResponse, error) {
	a, err := s.accounts.SetPlan(ctx, req.GetId(), planFromProto(req.GetPlan()))
	if err != nil {
		return nil, err
	}
	return &authv1.SetAccountPlanResponse{Account: accountToProto(a, s.plans)}, nil
}

func (s *developerServer) CreateApiKey(ctx context.Context, req *authv1.CreateApiKeyRequest) (*authv1.CreateApiKeyResponse, error) {
	audit.FromContext(ctx).Note(audit.About{AppID: req.GetAppId()})
	key, secret, err := s.apps.CreateAPIKey(ctx, apiKeyCreationFromProto(req, actorOf(ctx)))
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreateApiKeyResponse{}, err
	}
	return &authv1.CreateApiKeyResponse{ApiKey: apiKeyToProto(key), Secret: secret}, nil
}

func (s *developerServer) ListApiKeys(ctx context.Context, req *authv1.ListApiKeysRequest) (*authv1.ListApiKeysResponse, error) {
	keys, err := s.apps.APIKeys(ctx, req.GetAppId(), req.GetIncludeDeleted())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListApiKeysResponse{}
	for _, k := range keys {
		resp.ApiKeys = append(resp.ApiKeys, apiKeyToProto(k))
	}
	return resp, nil
}

func (s *developerServer) DeleteApiKey(ctx context.Context, req *authv1.DeleteApiKeyRequest) (*authv1.DeleteApiKeyResponse, error) {
	return &authv1.DeleteApiKeyResponse{}, s.apps.DeleteAPIKey(ctx, req.GetId())
}
