package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/sharing"
)

type legacyProfileServer struct {
	candidatev1.UnimplementedLegacyProfileServiceServer
	shared *sharing.Service
}

func (s *legacyProfileServer) GetLegacyProfile(ctx context.Context, _ *candidatev1.GetLegacyProfileRequest) (*candidatev1.GetLegacyProfileResponse, error) {
	shown, err := s.shared.Legacy(ctx, consentFromProto(principal.FromContext(ctx)))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetLegacyProfileResponse{Profile: shown}, nil
}
