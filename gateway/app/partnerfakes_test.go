package app_test

import (
	"context"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	pagingv1 "vitae.internal/proto/gen/vitae/paging/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// fakePartner is a fake of the services behind the partner API. It records calls, and responds with the result
// of its function or a default for the response type.
type fakePartner struct {
	mu        sync.Mutex
	calls     int
	request   proto.Message
	principal *identityv1.Principal
	keys      []string
	respond   func(proto.Message) (proto.Message, error)
	pieces    []*candidatev1.DownloadResumeResponse
	fault     error
}

func (f *fakePartner) set(change func(*fakePartner)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// willReturn makes every call return m and err.
func (f *fakePartner) willReturn(m proto.Message, err error) {
	f.set(func(f *fakePartner) { f.respond = func(proto.Message) (proto.Message, error) { return m, err } })
}

// last returns the request, principal and idempotency keys of the last call, and the number of calls.
func (f *fakePartner) last() (proto.Message, *identityv1.Principal, []string, int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.request, f.principal, f.keys, f.calls
}

func take[R proto.Message](f *fakePartner, ctx context.Context, request proto.Message, usual R) (R, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	f.request, f.principal = request, principal.FromContext(ctx)
	f.keys = metadata.ValueFromIncomingContext(ctx, "idempotency-key")
	if f.respond == nil {
		return usual, nil
	}
	m, err := f.respond(request)
	if r, ok := m.(R); ok {
		return r, err
	}
	return usual, err
}

type companies struct {
	partnercatalogv1.UnimplementedCompanyServiceServer
	*fakePartner
}

func (c companies) ListCompanies(ctx context.Context, r *partnercatalogv1.ListCompaniesRequest) (*partnercatalogv1.ListCompaniesResponse, error) {
	return take(c.fakePartner, ctx, r, &partnercatalogv1.ListCompaniesResponse{Paging: &pagingv1.Paging{Page: 1, PageSize: 25}})
}

func (c companies) CreateCompany(ctx context.Context, r *partnercatalogv1.CreateCompanyRequest) (*partnercatalogv1.CreateCompanyResponse, error) {
	return take(c.fakePartner, ctx, r, &partnercatalogv1.CreateCompanyResponse{Company: &partnercatalogv1.Company{Id: "com_1"}})
}

func (c companies) GetCompany(ctx context.Context, r *partnercatalogv1.GetCompanyRequest) (*partnercatalogv1.GetCompanyResponse, error) {
	return take(c.fakePartner, ctx, r, &partnercatalogv1.GetCompanyResponse{Company: &partnercatalogv1.Company{Id: r.GetCompanyId()}})
}

func (c companies) UpdateCompany(ctx context.Context, r *partnercatalogv1.UpdateCompanyRequest) (*partnercatalogv1.UpdateCompanyResponse, error) {
	return take(c.fakePartner, ctx, r, &partnercatalogv1.UpdateCompanyResponse{Company: &partnercatalogv1.Company{Id: r.GetCompanyId()}})
}

type jobs struct {
	partnercatalogv1.UnimplementedJobServiceServer
	*fakePartner
}

func (j jobs) ListJobs(ctx context.Context, r *partnercatalogv1.ListJobsRequest) (*partnercatalogv1.ListJobsResponse, error) {
	return take(j.fakePartner, ctx, r, &partnercatalogv1.ListJobsResponse{Paging: &pagingv1.Paging{Page: 1, PageSize: 25}})
}

func (j jobs) CreateJob(ctx context.Context, r *partnercatalogv1.CreateJobRequest) (*partnercatalogv1.CreateJobResponse, error) {
	return take(j.fakePartner, ctx, r, &partnercatalogv1.CreateJobResponse{Job: &partnercatalogv1.Job{Id: "job_1"}})
}

func (j jobs) GetJob(ctx context.Context, r *partnercatalogv1.GetJobRequest) (*partnercatalogv1.GetJobResponse, error) {
	return take(j.fakePartner, ctx, r, &partnercatalogv1.GetJobResponse{Job: &partnercatalogv1.Job{Id: r.GetJobId()}})
}

func (j jobs) UpdateJob(ctx context.Context, r *partnercatalogv1.UpdateJobRequest) (*partnercatalogv1.UpdateJobResponse, error) {
	return take(j.fakePartner, ctx, r, &partnercatalogv1.UpdateJobResponse{Job: &partnercatalogv1.Job{Id: r.GetJobId()}})
}

func (j jobs) PublishJob(ctx context.Context, r *partnercatalogv1.PublishJobRequest) (*partnercatalogv1.PublishJobResponse, error) {
	return take(j.fakePartner, ctx, r, &partnercatalogv1.PublishJobResponse{Job: &partnercatalogv1.Job{Id: r.GetJobId()}})
}

func (j jobs) CloseJob(ctx context.Context, r *partnercatalogv1.CloseJobRequest) (*partnercatalogv1.CloseJobResponse, error) {
	return take(j.fakePartner, ctx, r, &partnercatalogv1.CloseJobResponse{Job: &partnercatalogv1.Job{Id: r.GetJobId()}})
}

func (j jobs) ArchiveJob(ctx context.Context, r *partnercatalogv1.ArchiveJobRequest) (*partnercatalogv1.ArchiveJobResponse, error) {
	return take(j.fakePartner, ctx, r, &partnercatalogv1.ArchiveJobResponse{Job: &partnercatalogv1.Job{Id: r.GetJobId()}})
}

type applications struct {
	candidatev1.UnimplementedApplicationServiceServer
	*fakePartner
}

func (a applications) ListJobApplications(ctx context.Context, r *candidatev1.ListJobApplicationsRequest) (*candidatev1.ListJobApplicationsResponse, error) {
	return take(a.fakePartner, ctx, r, &candidatev1.ListJobApplicationsResponse{Paging: &pagingv1.Paging{Page: 1, PageSize: 25}})
}

func (a applications) GetApplication(ctx context.Context, r *candidatev1.GetApplicationRequest) (*candidatev1.GetApplicationResponse, error) {
	return take(a.fakePartner, ctx, r, &candidatev1.GetApplicationResponse{Application: &candidatev1.ApplicationDetail{ApplicationId: r.GetApplicationId()}})
}

type resumes struct {
	candidatev1.UnimplementedResumeServiceServer
	*fakePartner
}

func (r resumes) DownloadResume(req *candidatev1.DownloadResumeRequest, stream grpc.ServerStreamingServer[candidatev1.DownloadResumeResponse]) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	r.request, r.principal = req, principal.FromContext(stream.Context())
	for _, piece := range r.pieces {
		if err := stream.Send(piece); err != nil {
			return err
		}
	}
	return r.fault
}
