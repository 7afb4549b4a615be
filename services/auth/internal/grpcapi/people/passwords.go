package people

import (
	"context"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/recovery"
	"vitae.internal/services/auth/internal/people/session"
)

type passwordServer struct {
	authv1.UnimplementedPasswordServiceServer
	passwords *recovery.Service
}

func (s *passwordServer) StartPasswordReset(ctx context.Context, req *authv1.StartPasswordResetRequest) (*authv1.StartPasswordResetResponse, error) {
	return &authv1.StartPasswordResetResponse{}, s.passwords.Start(ctx, recovery.Forgotten{
		Email: req.GetEmail(), Language: req.GetLanguage(), ClientIP: req.GetClientIp(), Device: req.GetDeviceToken(),
	})
}

func (s *passwordServer) GetPasswordReset(ctx context.Context, req *authv1.GetPasswordResetRequest) (*authv1.GetPasswordResetResponse, error) {
	who, err := s.passwords.Get(ctx, req.GetToken())
	if err != nil {
		return nil, err
	}
	return &authv1.GetPasswordResetResponse{Email: who.Email}, nil
}

func (s *passwordServer) ResetPassword(ctx context.Context, req *authv1.ResetPasswordRequest) (*authv1.ResetPasswordResponse, error) {
	return &authv1.ResetPasswordResponse{}, s.passwords.Reset(ctx, req.GetToken(), recovery.Replacement{
		New: req.GetPassword(), Language: req.GetLanguage(), By: session.SignIn{ClientIP: req.GetClientIp(), Browser: browserFromProto(req.GetBrowser())},
	})
}

func (s *passwordServer) ChangePassword(ctx context.Context, req *authv1.ChangePasswordRequest) (*authv1.ChangePasswordResponse, error) {
	return &authv1.ChangePasswordResponse{}, s.passwords.Change(ctx, recovery.Replacement{
		Session: req.GetSessionToken(), New: req.GetNewPassword(), Language: req.GetLanguage(),
		By: session.SignIn{
			Password: req.GetCurrentPassword(), ClientIP: req.GetClientIp(),
			Device: req.GetDeviceToken(), DeviceSince: timeOf(req.GetDeviceSince()),
		},
	})
}
