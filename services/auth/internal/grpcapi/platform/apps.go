package platform

import (
	"context"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

func (s *developerServer) CreateApp(ctx context.Context, req *authv1.CreateAppRequest) (*authv1.CreateAppResponse, error) {
	audit.FromContext(ctx).Note(audit.About{AccountID: req.GetAccountId()})
	creation := appCreationFromProto(req, actorOf(ctx))
	creation.ForMember = PersonOf(ctx) != ""
	app, secret, err := s.apps.CreateApp(ctx, creation)
	if err != nil || req.GetValidateOnly() {
		return &authv1.CreateAppResponse{}, err
	}
	return &authv1.CreateAppResponse{App: AppToProto(app), ClientSecret: secret}, nil
}

func (s *developerServer) GetApp(ctx context.Context, req *authv1.GetAppRequest) (*authv1.GetAppResponse, error) {
	app, err := s.apps.App(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	return &authv1.GetAppResponse{App: AppToProto(app)}, nil
}

func (s *developerServer) ListApps(ctx context.Context, req *authv1.ListAppsRequest) (*authv1.ListAppsResponse, error) {
	account, apps, err := s.apps.Apps(ctx, req.GetAccountId(), req.GetIncludeDeleted())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListAppsResponse{}
	for _, a := range apps {
		resp.Apps = append(resp.Apps, &authv1.ListedApp{App: AppToProto(a.App), State: stateOf(a.App, account), Connections: a.Connections})
	}
	return resp, nil
}

func stateOf(a app.App, account account.Account) authv1.AppState {
	switch {
	case a.DeletedAt != nil:
		return authv1.AppState_APP_STATE_DELETED
	case account.SuspendedAt != nil:
		return authv1.AppState_APP_STATE_SUSPENDED
	default:
		return authv1.AppState_APP_STATE_LIVE
	}
}

func (s *developerServer) UpdateApp(ctx context.Context, req *authv1.UpdateAppRequest) (*authv1.UpdateAppResponse, error) {
	update, err := appUpdateFromProto(req)
	if err != nil {
		return nil, err
	}
	update.ForMember = PersonOf(ctx) != ""
	app, err := s.apps.UpdateApp(ctx, update)
	if err != nil {
		return nil, err
	}
	return &authv1.UpdateAppResponse{App: AppToProto(app)}, nil
}

func (s *developerServer) DeleteApp(ctx context.Context, req *authv1.DeleteAppRequest) (*authv1.DeleteAppResponse, error) {
	return &authv1.DeleteAppResponse{}, s.apps.DeleteApp(ctx, app.Deletion{
		AppID: req.GetId(), ConfirmName: req.GetConfirmName(), Unasked: PersonOf(ctx) == "",
	})
}

type logoServer struct {
	authv1.UnimplementedAppLogoServiceServer
	apps *app.Service
}

func (s *logoServer) GetAppLogo(ctx context.Context, req *authv1.GetAppLogoRequest) (*authv1.GetAppLogoResponse, error) {
	jpeg, err := s.apps.Logo(ctx, req.GetAppId(), req.GetVersion())
	if err != nil {
		return nil, err
	}
	return &authv1.GetAppLogoResponse{Jpeg: jpeg}, nil
}
