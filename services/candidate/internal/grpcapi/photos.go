package grpcapi

import (
	"context"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/photo"
)

type photoServer struct {
	candidatev1.UnimplementedPhotoServiceServer
	photos *photo.Service
}

func (s *photoServer) GetPhoto(ctx context.Context, req *candidatev1.GetPhotoRequest) (*candidatev1.GetPhotoResponse, error) {
	found, err := s.photos.Get(ctx, req.GetPersonId())
	if err != nil {
		return nil, err
	}
	if found.JPEG == nil {
		return &candidatev1.GetPhotoResponse{Photo: &candidatev1.GetPhotoResponse_Address{Address: found.Address}}, nil
	}
	return &candidatev1.GetPhotoResponse{Photo: &candidatev1.GetPhotoResponse_Jpeg{Jpeg: found.JPEG}}, nil
}
