package platform

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/console"
	"vitae.internal/services/auth/internal/platform/team"
)

type consoleServer struct {
	authv1.UnimplementedConsoleServiceServer
	console *console.Service
	members *team.Service
	plans   account.Plans
}

func (s *consoleServer) EnsureConsoleApp(ctx context.Context, req *authv1.EnsureConsoleAppRequest) (*authv1.EnsureConsoleAppResponse, error) {
	app, err := s.console.EnsureApp(ctx, req.GetRedirectUri(), req.GetClientSecret())
	if err != nil {
		return nil, err
	}
	return &authv1.EnsureConsoleAppResponse{AppId: app.ID, ClientId: app.ClientID, Scopes: app.Scopes}, nil
}

func (s *consoleServer) OpenConsoleSession(ctx context.Context, req *authv1.OpenConsoleSessionRequest) (*authv1.OpenConsoleSessionResponse, error) {
	secret, end, err := s.console.Open(ctx, req.GetAccessToken(), req.GetName())
	if err != nil {
		return nil, err
	}
	return &authv1.OpenConsoleSessionResponse{SessionToken: secret, ExpiresAt: timestamppb.New(end)}, nil
}

func (s *consoleServer) GetConsoleSession(ctx context.Context, _ *authv1.GetConsoleSessionRequest) (*authv1.GetConsoleSessionResponse, error) {
	caller, _ := team.FromContext(ctx)
	memberships, err := s.members.Memberships(ctx, caller.Person.ID)
	if err != nil {
		return nil, err
	}
	resp := &authv1.GetConsoleSessionResponse{
		PersonId: caller.Person.ID, Name: caller.Name, Email: caller.Person.Email, EmailVerified: caller.Person.EmailVerified,
		ExpiresAt: timestamppb.New(caller.ExpiresAt), Proven: caller.Proven,
	}
	for _, m := range memberships {
		resp.Memberships = append(resp.Memberships, &authv1.Membership{
			AccountId: m.Account.ID, AccountName: m.Account.Name, Role: roles.Value(string(m.Role)),
			Suspended: m.Account.SuspendedAt != nil, Verified: m.Account.VerifiedAt != nil, Plan: PlanToProto(s.plans.Of(m.Account.Plan)),
			SuspendedAt: convert.TimeToProto(m.Account.SuspendedAt), SuspensionReason: m.Account.SuspensionReason,
		})
	}
	return resp, nil
}

func (s *consoleServer) CloseConsoleSession(ctx context.Context, _ *authv1.CloseConsoleSessionRequest) (*authv1.CloseConsoleSessionResponse, error) {
	caller, _ := team.FromContext(ctx)
	return &authv1.CloseConsoleSessionResponse{}, s.console.Close(ctx, caller.Hash)
}

func (s *consoleServer) TakeConsoleForm(ctx context.Context, req *authv1.TakeConsoleFormRequest) (*authv1.TakeConsoleFormResponse, error) {
	caller, _ := team.FromContext(ctx)
	return &authv1.TakeConsoleFormResponse{}, s.console.TakeForm(ctx, caller.Hash, req.GetForm())
}
