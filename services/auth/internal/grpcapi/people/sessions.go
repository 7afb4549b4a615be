package people

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/session"
)

type sessionServer struct {
	authv1.UnimplementedSessionServiceServer
	sessions *session.Service
}

func (s *sessionServer) SignIn(ctx context.Context, req *authv1.SignInRequest) (*authv1.SignInResponse, error) {
	opened, err := s.sessions.SignIn(ctx, session.SignIn{
		Email: req.GetEmail(), Password: req.GetPassword(),
		ClientIP: req.GetClientIp(), Previous: req.GetPreviousSessionToken(),
		Device: req.GetDeviceToken(), DeviceSince: timeOf(req.GetDeviceSince()), Browser: browserFromProto(req.GetBrowser()),
		Language: req.GetLanguage(),
	})
	if err != nil {
		return nil, err
	}
	return openedToProto(opened), nil
}

func openedToProto(o session.Opened) *authv1.SignInResponse {
	return &authv1.SignInResponse{
		SessionToken: o.Secret, Person: personToProto(o.Person), ExpiresAt: timestamppb.New(o.ExpiresAt),
		DeviceToken: o.Device, DeviceExpiresAt: timestamppb.New(o.DeviceExpiresAt),
	}
}

// timeOf converts a timestamp, and returns the zero time for nil.
func timeOf(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.AsTime()
}

func (s *sessionServer) GetSession(ctx context.Context, req *authv1.GetSessionRequest) (*authv1.GetSessionResponse, error) {
	live, proven, err := s.sessions.GetProven(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	resp := &authv1.GetSessionResponse{
		Person: personToProto(live.Person), ExpiresAt: timestamppb.New(live.ExpiresAt), Proven: proven,
	}
	if !live.DeletionDueAt.IsZero() {
		resp.DeletionDueAt = timestamppb.New(live.DeletionDueAt)
	}
	return resp, nil
}

func (s *sessionServer) SetLanguage(ctx context.Context, req *authv1.SetLanguageRequest) (*authv1.SetLanguageResponse, error) {
	return &authv1.SetLanguageResponse{}, s.sessions.SetLanguage(ctx, req.GetSessionToken(), req.GetLanguage())
}

func (s *sessionServer) SignOut(ctx context.Context, req *authv1.SignOutRequest) (*authv1.SignOutResponse, error) {
	return &authv1.SignOutResponse{}, s.sessions.SignOut(ctx, req.GetSessionToken())
}

func (s *sessionServer) ListSessions(ctx context.Context, req *authv1.ListSessionsRequest) (*authv1.ListSessionsResponse, error) {
	all, err := s.sessions.List(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListSessionsResponse{}
	for _, one := range all {
		resp.Sessions = append(resp.Sessions, sessionToProto(one))
	}
	return resp, nil
}

func sessionToProto(l session.Listed) *authv1.Session {
	return &authv1.Session{
		Id: l.ID, Browser: &authv1.Browser{Name: l.Browser.Name, System: l.Browser.System}, Country: l.Country,
		CreatedAt: timestamppb.New(l.CreatedAt), UsedAt: timestamppb.New(l.UsedAt), Current: l.Current, AtConsole: l.AtConsole,
	}
}

func (s *sessionServer) EndSession(ctx context.Context, req *authv1.EndSessionRequest) (*authv1.EndSessionResponse, error) {
	return &authv1.EndSessionResponse{}, s.sessions.End(ctx, req.GetSessionToken(), req.GetId())
}

func (s *sessionServer) EndAllSessions(ctx context.Context, req *authv1.EndAllSessionsRequest) (*authv1.EndAllSessionsResponse, error) {
	return &authv1.EndAllSessionsResponse{}, s.sessions.EndAll(ctx, req.GetSessionToken())
}

func browserFromProto(b *authv1.Browser) session.Browser {
	return session.Browser{Name: b.GetName(), System: b.GetSystem()}
}
