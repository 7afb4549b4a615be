package grpcapi

import (
	"context"

	"vitae.internal/pkg/paging"
	"vitae.internal/pkg/principal"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/job"
)

type jobServer struct {
	partnercatalogv1.UnimplementedJobServiceServer
	jobs *job.Service
}

func (s *jobServer) ListJobs(ctx context.Context, req *partnercatalogv1.ListJobsRequest) (*partnercatalogv1.ListJobsResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	page, err := paging.Parse(req.Page, req.PageSize)
	if err != nil {
		return nil, err
	}
	q := job.Query{AppID: appID, CompanyID: req.GetCompanyId(), Skip: page.Offset(), Size: page.Size}
	if req.Status != nil {
		status := job.Status(statuses.Word(req.GetStatus()))
		q.Status = &status
	}
	found, err := s.jobs.List(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &partnercatalogv1.ListJobsResponse{Paging: page.Of(found.Total)}
	for _, j := range found.Jobs {
		out.Jobs = append(out.Jobs, jobToProto(j))
	}
	return out, nil
}

func (s *jobServer) GetJob(ctx context.Context, req *partnercatalogv1.GetJobRequest) (*partnercatalogv1.GetJobResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	found, err := s.jobs.Job(ctx, appID, req.GetJobId())
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.GetJobResponse{Job: jobToProto(found)}, nil
}
