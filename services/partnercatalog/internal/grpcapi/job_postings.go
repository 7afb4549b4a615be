package grpcapi

import (
	"context"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/job"
)

type postingServer struct {
	partnercatalogv1.UnimplementedJobPostingServiceServer
	jobs *job.Service
}

func (s *postingServer) GetJobPosting(ctx context.Context, req *partnercatalogv1.GetJobPostingRequest) (*partnercatalogv1.GetJobPostingResponse, error) {
	if req.GetView() == partnercatalogv1.JobPostingView_JOB_POSTING_VIEW_OWNER {
		owner, err := s.jobs.Owner(ctx, req.GetJobId())
		if err != nil {
			return nil, err
		}
		return &partnercatalogv1.GetJobPostingResponse{Posting: &partnercatalogv1.JobPosting{
			Job: &partnercatalogv1.Job{Id: req.GetJobId(), CompanyId: owner.CompanyID}, AppId: owner.AppID,
		}}, nil
	}
	found, err := s.jobs.Posting(ctx, req.GetJobId())
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.GetJobPostingResponse{Posting: postingToProto(found)}, nil
}

func (s *postingServer) RecordApplicationCounts(ctx context.Context, req *partnercatalogv1.RecordApplicationCountsRequest) (*partnercatalogv1.RecordApplicationCountsResponse, error) {
	counts := make(map[string]int32, len(req.GetCounts()))
	for _, c := range req.GetCounts() {
		counts[c.GetJobId()] = max(c.GetCount(), counts[c.GetJobId()])
	}
	if err := s.jobs.RecordApplications(ctx, counts); err != nil {
		return nil, err
	}
	return &partnercatalogv1.RecordApplicationCountsResponse{}, nil
}

func (s *postingServer) ListJobHeadings(ctx context.Context, req *partnercatalogv1.ListJobHeadingsRequest) (*partnercatalogv1.ListJobHeadingsResponse, error) {
	headings, err := s.jobs.Headings(ctx, req.GetJobIds())
	if err != nil {
		return nil, err
	}
	resp := &partnercatalogv1.ListJobHeadingsResponse{}
	for _, h := range headings {
		resp.Headings = append(resp.Headings, &partnercatalogv1.JobHeading{JobId: h.JobID, Title: h.Title, Employer: h.Employer, Masked: h.Masked})
	}
	return resp, nil
}
