package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/sharing"
)

type meServer struct {
	candidatev1.UnimplementedMeServiceServer
	shared *sharing.Service
}

func (s *meServer) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	p := principal.FromContext(ctx)
	user, err := s.shared.User(ctx, consentFromProto(p))
	if err != nil {
		return nil, err
	}
	out := userToProto(user)
	out.Connection = connectionToProto(p, user.Cv)
	return &candidatev1.GetMeResponse{User: out}, nil
}

// GetSharedCv implements candidatev1.MeServiceServer. The PDF behind a durable link is
// made from this answer too.
func (s *meServer) GetSharedCv(ctx context.Context, _ *candidatev1.GetSharedCvRequest) (*candidatev1.GetSharedCvResponse, error) {
	p := principal.FromContext(ctx)
	shared, err := s.shared.Cv(ctx, consentFromProto(p))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetSharedCvResponse{Cv: SharedCvToProto(shared), Template: templates.Value(string(shared.Template))}, nil
}
