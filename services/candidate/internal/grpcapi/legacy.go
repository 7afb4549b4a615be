package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/sharing"
)

type legacyServer struct {
	candidatev1.UnimplementedLegacyProfileServiceServer
	shared *sharing.Service
}

// GetLegacyProfile implements candidatev1.LegacyProfileServiceServer.
func (s *legacyServer) GetLegacyProfile(ctx context.Context, _ *candidatev1.GetLegacyProfileRequest) (*candidatev1.GetLegacyProfileResponse, error) {
	shown, err := s.shared.Legacy(ctx, consentOf(principal.FromContext(ctx)))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetLegacyProfileResponse{Profile: legacyToProto(shown)}, nil
}
