package grpcapi

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/session"
)

type sessionServer struct {
	authv1.UnimplementedSessionServiceServer
	sessions *session.Service
}

// SignIn implements authv1.SessionServiceServer.
func (s *sessionServer) SignIn(ctx context.Context, req *authv1.SignInRequest) (*authv1.SignInResponse, error) {
	in := session.SignIn{
		Email: req.GetEmail(), Password: req.GetPassword(),
		ClientIP: req.GetClientIp(), Previous: req.GetPreviousSessionToken(), Device: req.GetDeviceToken(),
	}
	if since := req.GetDeviceSince(); since != nil {
		in.DeviceSince = since.AsTime()
	}
	opened, err := s.sessions.SignIn(ctx, in)
	if err != nil {
		return nil, err
	}
	return &authv1.SignInResponse{
		SessionToken: opened.Secret, Person: personToProto(opened.Person), ExpiresAt: timestamppb.New(opened.ExpiresAt),
		DeviceToken: opened.Device, DeviceExpiresAt: timestamppb.New(opened.DeviceExpiresAt),
	}, nil
}

// GetSession implements authv1.SessionServiceServer.
func (s *sessionServer) GetSession(ctx context.Context, req *authv1.GetSessionRequest) (*authv1.GetSessionResponse, error) {
	who, expiresAt, err := s.sessions.Get(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	return &authv1.GetSessionResponse{Person: personToProto(who), ExpiresAt: timestamppb.New(expiresAt)}, nil
}

// SignOut implements authv1.SessionServiceServer.
func (s *sessionServer) SignOut(ctx context.Context, req *authv1.SignOutRequest) (*authv1.SignOutResponse, error) {
	return &authv1.SignOutResponse{}, s.sessions.SignOut(ctx, req.GetSessionToken())
}
