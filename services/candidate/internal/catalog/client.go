package catalog

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/vocabulary"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/delivery"
)

// Client implements application.Catalog and delivery.Catalog.
type Client struct {
	jobs partnercatalogv1.JobPostingServiceClient
}

var (
	_ application.Catalog = (*Client)(nil)
	_ delivery.Catalog    = (*Client)(nil)
)

// New makes a client on a connection of grpcx.Dial, which stays the caller's.
func New(conn grpc.ClientConnInterface) (*Client, error) {
	if conn == nil {
		return nil, errors.New("catalog: a connection is required")
	}
	return &Client{jobs: partnercatalogv1.NewJobPostingServiceClient(conn)}, nil
}

func (c *Client) Posting(ctx context.Context, jobID string) (application.Posting, error) {
	p, err := c.read(ctx, jobID, partnercatalogv1.JobPostingView_JOB_POSTING_VIEW_FULL)
	if err != nil {
		return application.Posting{}, err
	}
	return PostingFromProto(p), nil
}

func (c *Client) AppOf(ctx context.Context, jobID string) (string, error) {
	p, err := c.read(ctx, jobID, partnercatalogv1.JobPostingView_JOB_POSTING_VIEW_OWNER)
	return p.GetAppId(), err
}

func (c *Client) read(ctx context.Context, jobID string, view partnercatalogv1.JobPostingView) (*partnercatalogv1.JobPosting, error) {
	if jobID == "" {
		return nil, application.ErrJobNotFound // the contract refuses an empty id
	}
	resp, err := c.jobs.GetJobPosting(ctx, &partnercatalogv1.GetJobPostingRequest{JobId: jobID, View: view})
	switch {
	case errs.HasCode(err, application.ErrJobNotFound.Code):
		return nil, application.ErrJobNotFound
	case err != nil:
		return nil, fmt.Errorf("catalog: read job: %w", err)
	}
	return resp.GetPosting(), nil
}

func (c *Client) RecordTotals(ctx context.Context, totals []delivery.Total) error {
	req := &partnercatalogv1.RecordApplicationCountsRequest{}
	for _, t := range totals {
		req.Counts = append(req.Counts, &partnercatalogv1.ApplicationCount{JobId: t.JobID, Count: t.Count})
	}
	if _, err := c.jobs.RecordApplicationCounts(ctx, req); err != nil {
		return fmt.Errorf("catalog: record totals: %w", err)
	}
	return nil
}

// PostingFromProto gives what an application needs of a job.
func PostingFromProto(p *partnercatalogv1.JobPosting) application.Posting {
	job := p.GetJob()
	out := application.Posting{
		JobID:     job.GetId(),
		CompanyID: job.GetCompanyId(),
		AppID:     p.GetAppId(),
		Live:      job.GetStatus() == partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE,
	}
	for _, q := range job.GetScreeningQuestions() {
		out.Questions = append(out.Questions, application.Question{
			ID:       q.GetId(),
			Type:     application.QuestionType(questionTypes.Word(q.GetType())),
			Required: q.GetRequired(),
			Options:  q.GetOptions(),
		})
	}
	return out
}

// questionTypes has the words of package application for the types of questions. The
// word of an unknown type is none of them, so no answer to such a question passes.
var questionTypes = vocabulary.New[partnercatalogv1.QuestionType]()
