package grpcapi

import (
	"context"
	"errors"

	"google.golang.org/grpc/metadata"

	"vitae.internal/pkg/fault"
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

const (
	// keyHeader is the HTTP header that contains the idempotency key.
	keyHeader = "Idempotency-Key"
	// keyMetadata is the key of the gRPC metadata in which the gateway forwards the header.
	keyMetadata = "idempotency-key"
)

func (s *jobServer) CreateJob(ctx context.Context, req *partnercatalogv1.CreateJobRequest) (*partnercatalogv1.CreateJobResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	key, keyFault := keyFromProto(ctx, req)
	wanted := job.New{AppID: appID, CompanyID: req.GetCompanyId(), Key: key, SaveAs: saveAs.Word(req.GetSaveAs()), Input: jobInputFromProto(req)}
	if req.GetValidateOnly() || keyFault != nil {
		if err := s.check(keyFault, wanted); err != nil {
			return nil, err
		}
		return &partnercatalogv1.CreateJobResponse{}, nil
	}
	created, err := s.jobs.Create(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.CreateJobResponse{Job: jobToProto(created.Job), Replayed: created.Replayed}, nil
}

// check returns all validation errors of a request to create a job, starting with errors in the
// idempotency key.
func (s *jobServer) check(keyFault error, wanted job.New) error {
	err := s.jobs.ValidateCreate(wanted)
	if keyFault == nil {
		return err
	}
	faults := fault.Validation()
	if other := errors.Join(faults.Merge(keyFault), faults.Merge(err)); other != nil {
		return other
	}
	return faults.Err()
}

// keyFromProto returns the idempotency key of the request, or "" if there is none. The header takes
// precedence over the body (behaviour: jobs#idempotency-key). It returns
// PUBLIC_API_VALIDATION_ERROR for the header or the field if the key is invalid.
func keyFromProto(ctx context.Context, req *partnercatalogv1.CreateJobRequest) (job.Key, error) {
	if sent := metadata.ValueFromIncomingContext(ctx, keyMetadata); len(sent) > 0 {
		return job.ParseHeaderKey(keyHeader, sent...)
	}
	if req.IdempotencyKey != nil {
		return job.ParseKey("idempotency_key", req.GetIdempotencyKey())
	}
	return "", nil
}

func (s *jobServer) UpdateJob(ctx context.Context, req *partnercatalogv1.UpdateJobRequest) (*partnercatalogv1.UpdateJobResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	sections, err := job.ParseSections(req.GetUpdateMask().GetPaths())
	if err != nil {
		return nil, err
	}
	changed, err := s.jobs.Update(ctx, appID, req.GetJobId(), jobInputFromProto(req), sections)
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.UpdateJobResponse{Job: jobToProto(changed)}, nil
}

func (s *jobServer) PublishJob(ctx context.Context, req *partnercatalogv1.PublishJobRequest) (*partnercatalogv1.PublishJobResponse, error) {
	moved, err := s.move(ctx, req.GetJobId(), s.jobs.Publish)
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.PublishJobResponse{Job: moved}, nil
}

func (s *jobServer) CloseJob(ctx context.Context, req *partnercatalogv1.CloseJobRequest) (*partnercatalogv1.CloseJobResponse, error) {
	moved, err := s.move(ctx, req.GetJobId(), s.jobs.Close)
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.CloseJobResponse{Job: moved}, nil
}

func (s *jobServer) ArchiveJob(ctx context.Context, req *partnercatalogv1.ArchiveJobRequest) (*partnercatalogv1.ArchiveJobResponse, error) {
	moved, err := s.move(ctx, req.GetJobId(), s.jobs.Archive)
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.ArchiveJobResponse{Job: moved}, nil
}

func (s *jobServer) move(ctx context.Context, jobID string, use func(ctx context.Context, appID, jobID string) (job.Job, error)) (*partnercatalogv1.Job, error) {
	appID := principal.FromContext(ctx).GetAppId()
	moved, err := use(ctx, appID, jobID)
	if err != nil {
		return nil, err
	}
	return jobToProto(moved), nil
}
