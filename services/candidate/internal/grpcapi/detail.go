package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// GetApplication implements candidatev1.ApplicationServiceServer.
func (s *applicationServer) GetApplication(ctx context.Context, req *candidatev1.GetApplicationRequest) (*candidatev1.GetApplicationResponse, error) {
	p := principal.FromContext(ctx)
	found, err := s.details.Get(ctx, p.GetAppId(), req.GetApplicationId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetApplicationResponse{Application: detailToProto(found)}, nil
}
