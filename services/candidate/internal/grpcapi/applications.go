package grpcapi

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/detail"
)

type applicationServer struct {
	candidatev1.UnimplementedApplicationServiceServer
	applications *application.Service
	details      *detail.Service
}

func (s *applicationServer) ListJobApplications(ctx context.Context, req *candidatev1.ListJobApplicationsRequest) (*candidatev1.ListJobApplicationsResponse, error) {
	wanted, page := listRequestFromProto(req, principal.FromContext(ctx).GetAppId())
	list, err := s.applications.ForJob(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListJobApplicationsResponse{
		Applications: mapped(list.Rows, applicationToProto),
		Paging:       page.Of(list.Total),
	}, nil
}

func (s *applicationServer) GetApplication(ctx context.Context, req *candidatev1.GetApplicationRequest) (*candidatev1.GetApplicationResponse, error) {
	found, err := s.details.Get(ctx, principal.FromContext(ctx).GetAppId(), req.GetApplicationId())
	if err != nil {
		return nil, err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: found.PersonID})
	return &candidatev1.GetApplicationResponse{Application: detailToProto(found)}, nil
}
