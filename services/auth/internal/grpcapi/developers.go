package grpcapi

import (
	"context"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/developer"
)

// Developers serves DeveloperService.
type Developers struct {
	authv1.UnimplementedDeveloperServiceServer
	Developers *developer.Developers
	// Plans are the budgets of the named plans.
	Plans developer.Plans
}

// CreateAccount implements authv1.DeveloperServiceServer.
func (d *Developers) CreateAccount(ctx context.Context, req *authv1.CreateAccountRequest) (*authv1.CreateAccountResponse, error) {
	a, err := d.Developers.CreateAccount(ctx, req.GetName(), req.GetEmail(), toPlan(req.GetPlan()), req.GetValidateOnly())
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreateAccountResponse{}, err
	}
	return &authv1.CreateAccountResponse{Account: d.fromAccount(a)}, nil
}

// GetAccount implements authv1.DeveloperServiceServer.
func (d *Developers) GetAccount(ctx context.Context, req *authv1.GetAccountRequest) (*authv1.GetAccountResponse, error) {
	a, err := d.Developers.Account(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.GetAccountResponse{Account: d.fromAccount(a)}, nil
}

// SuspendAccount implements authv1.DeveloperServiceServer.
func (d *Developers) SuspendAccount(ctx context.Context, req *authv1.SuspendAccountRequest) (*authv1.SuspendAccountResponse, error) {
	a, err := d.Developers.Suspend(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.SuspendAccountResponse{Account: d.fromAccount(a)}, nil
}

// ResumeAccount implements authv1.DeveloperServiceServer.
func (d *Developers) ResumeAccount(ctx context.Context, req *authv1.ResumeAccountRequest) (*authv1.ResumeAccountResponse, error) {
	a, err := d.Developers.Resume(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.ResumeAccountResponse{Account: d.fromAccount(a)}, nil
}

// SetAccountPlan implements authv1.DeveloperServiceServer.
func (d *Developers) SetAccountPlan(ctx context.Context, req *authv1.SetAccountPlanRequest) (*authv1.SetAccountPlanResponse, error) {
	a, err := d.Developers.SetPlan(ctx, req.GetId(), toPlan(req.GetPlan()))
	if err != nil {
		return nil, err
	}
	return &authv1.SetAccountPlanResponse{Account: d.fromAccount(a)}, nil
}

// CreateApp implements authv1.DeveloperServiceServer.
func (d *Developers) CreateApp(ctx context.Context, req *authv1.CreateAppRequest) (*authv1.CreateAppResponse, error) {
	app, secret, err := d.Developers.CreateApp(ctx, developer.AppCreation{
		AccountID: req.GetAccountId(), Name: req.GetName(), LogoURL: req.GetLogoUrl(),
		ClientType: toClientType(req.GetClientType()), RedirectURIs: req.GetRedirectUris(),
		Scopes: req.GetScopes(), Legacy: req.GetLegacy(), ValidateOnly: req.GetValidateOnly(),
	})
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreateAppResponse{}, err
	}
	return &authv1.CreateAppResponse{App: fromApp(app), ClientSecret: secret}, nil
}

// GetApp implements authv1.DeveloperServiceServer.
func (d *Developers) GetApp(ctx context.Context, req *authv1.GetAppRequest) (*authv1.GetAppResponse, error) {
	app, err := d.Developers.App(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.GetAppResponse{App: fromApp(app)}, nil
}

// RotateClientSecret implements authv1.DeveloperServiceServer.
func (d *Developers) RotateClientSecret(ctx context.Context, req *authv1.RotateClientSecretRequest) (*authv1.RotateClientSecretResponse, error) {
	app, secret, err := d.Developers.RotateSecret(ctx, req.GetAppId())
	if err != nil {
		return nil, err
	}
	return &authv1.RotateClientSecretResponse{App: fromApp(app), ClientSecret: secret}, nil
}

// CreateApiKey implements authv1.DeveloperServiceServer.
func (d *Developers) CreateApiKey(ctx context.Context, req *authv1.CreateApiKeyRequest) (*authv1.CreateApiKeyResponse, error) {
	key, secret, err := d.Developers.CreateAPIKey(ctx, developer.KeyCreation{
		AppID: req.GetAppId(), Name: req.GetName(), Scopes: req.GetScopes(),
		ExpiresAt: toTime(req.GetExpiresAt()), ValidateOnly: req.GetValidateOnly(),
	})
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreateApiKeyResponse{}, err
	}
	return &authv1.CreateApiKeyResponse{ApiKey: fromAPIKey(key), Secret: secret}, nil
}

// ListApiKeys implements authv1.DeveloperServiceServer.
func (d *Developers) ListApiKeys(ctx context.Context, req *authv1.ListApiKeysRequest) (*authv1.ListApiKeysResponse, error) {
	keys, err := d.Developers.APIKeys(ctx, req.GetAppId())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListApiKeysResponse{}
	for _, k := range keys {
		resp.ApiKeys = append(resp.ApiKeys, fromAPIKey(k))
	}
	return resp, nil
}

// DeleteApiKey implements authv1.DeveloperServiceServer.
func (d *Developers) DeleteApiKey(ctx context.Context, req *authv1.DeleteApiKeyRequest) (*authv1.DeleteApiKeyResponse, error) {
	return &authv1.DeleteApiKeyResponse{}, d.Developers.DeleteAPIKey(ctx, req.GetId())
}
