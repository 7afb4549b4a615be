package app_test

import (
	"context"
	"maps"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// catalog is a fake of the partnercatalog service's gRPC API.
type catalog struct {
	partnercatalogv1.UnimplementedJobPostingServiceServer

	mu       sync.Mutex
	postings map[string]*partnercatalogv1.JobPosting
	counts   map[string]int32
	// fault determines whether, and how, a call that records counts fails.
	fault fault
	// calls receives a value after each call that records counts, even if the call did not record
	// them.
	calls chan struct{}
}

// fault is a kind of failure.
type fault int

const (
	works fault = iota
	// hangs records nothing; hangsAfter records the counts first. Neither returns until the server
	// is killed or the caller cancels the call.
	hangs
	hangsAfter
)

func newCatalog() *catalog {
	return &catalog{
		postings: map[string]*partnercatalogv1.JobPosting{},
		counts:   map[string]int32{},
		calls:    make(chan struct{}, 10_000),
	}
}

func (c *catalog) register(r grpc.ServiceRegistrar) {
	partnercatalogv1.RegisterJobPostingServiceServer(r, c)
}

func (c *catalog) GetJobPosting(_ context.Context, req *partnercatalogv1.GetJobPostingRequest) (*partnercatalogv1.GetJobPostingResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.postings[req.GetJobId()]
	if !ok {
		return nil, errs.New(errs.NotFound, "JOB_NOT_FOUND", "no such job")
	}
	if req.GetView() == partnercatalogv1.JobPostingView_JOB_POSTING_VIEW_OWNER {
		p = &partnercatalogv1.JobPosting{AppId: p.GetAppId(), Job: &partnercatalogv1.Job{Id: req.GetJobId(), CompanyId: p.GetJob().GetCompanyId()}}
	}
	return &partnercatalogv1.GetJobPostingResponse{Posting: proto.CloneOf(p)}, nil
}

func (c *catalog) RecordApplicationCounts(ctx context.Context, req *partnercatalogv1.RecordApplicationCountsRequest) (*partnercatalogv1.RecordApplicationCountsResponse, error) {
	fault := c.record(req.GetCounts())
	c.calls <- struct{}{}
	if fault != works {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &partnercatalogv1.RecordApplicationCountsResponse{}, nil
}

func (c *catalog) record(counts []*partnercatalogv1.ApplicationCount) fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fault != hangs {
		for _, count := range counts {
			c.counts[count.GetJobId()] = max(c.counts[count.GetJobId()], count.GetCount())
		}
	}
	return c.fault
}

// post adds a live job with the given questions to the app's jobs.
func (c *catalog) post(jobID, appID string, questions ...*partnercatalogv1.ScreeningQuestion) *partnercatalogv1.JobPosting {
	p := &partnercatalogv1.JobPosting{AppId: appID, Job: &partnercatalogv1.Job{
		Id: jobID, CompanyId: "com_" + appID, Status: partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE, ScreeningQuestions: questions,
	}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.postings[jobID] = p
	return p
}

func (c *catalog) setStatus(jobID string, status partnercatalogv1.JobStatus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.postings[jobID].Job.Status = status
}

func (c *catalog) setFault(f fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault = f
}

func (c *catalog) snapshot() map[string]int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.counts)
}
