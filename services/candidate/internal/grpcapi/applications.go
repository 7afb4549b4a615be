package grpcapi

import (
	"context"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/paging"
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

// ListJobApplications implements candidatev1.ApplicationServiceServer.
func (s *applicationServer) ListJobApplications(ctx context.Context, req *candidatev1.ListJobApplicationsRequest) (*candidatev1.ListJobApplicationsResponse, error) {
	p := principal.FromContext(ctx)
	page, err := paging.Parse(req.Page, req.PageSize)
	if err != nil {
		return nil, err
	}
	filter := application.Filter{JobID: req.GetJobId(), Query: req.GetQuery()}
	if req.Status != nil {
		status, known := statuses[req.GetStatus()]
		if !known {
			return nil, errs.New(errs.Invalid, "PUBLIC_API_VALIDATION_ERROR", "must be a stage of an application").WithField("status")
		}
		filter.Status = status
	}
	list, err := s.applications.ForJob(ctx, p.GetAppId(), filter, application.Page{Offset: page.Offset(), Size: page.Size})
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListJobApplicationsResponse{
		Applications: mapped(list.Rows, applicationToProto),
		Paging:       page.Of(list.Total),
	}, nil
}
