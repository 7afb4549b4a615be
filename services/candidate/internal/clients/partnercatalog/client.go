// Package partnercatalog is the client for the partnercatalog service. It reads jobs and reports the number
// of applications.
package partnercatalog

import (
	"context"
	"fmt"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/vocabulary"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/delivery"
)

// Client calls the partnercatalog service.
type Client struct {
	jobs partnercatalogv1.JobPostingServiceClient
}

var (
	_ application.Catalog = (*Client)(nil)
	_ delivery.Catalog    = (*Client)(nil)
	_ applicant.Jobs      = (*Client)(nil)
)

// New returns a Client that uses conn, a connection from grpcx.Dial. The caller must close conn.
func New(conn grpc.ClientConnInterface) *Client {
	return &Client{jobs: partnercatalogv1.NewJobPostingServiceClient(conn)}
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
		return nil, application.ErrJobNotFound // the partnercatalog service rejects an empty id
	}
	resp, err := c.jobs.GetJobPosting(ctx, &partnercatalogv1.GetJobPostingRequest{JobId: jobID, View: view})
	switch {
	case errs.HasCode(err, application.ErrJobNotFound.Code):
		return nil, application.ErrJobNotFound
	case err != nil:
		return nil, fmt.Errorf("partnercatalog client: read job: %w", err)
	}
	return resp.GetPosting(), nil
}

func (c *Client) RecordTotals(ctx context.Context, totals []delivery.Total) error {
	req := &partnercatalogv1.RecordApplicationCountsRequest{}
	for _, t := range totals {
		req.Counts = append(req.Counts, &partnercatalogv1.ApplicationCount{JobId: t.JobID, Count: t.Count})
	}
	if _, err := c.jobs.RecordApplicationCounts(ctx, req); err != nil {
		return fmt.Errorf("partnercatalog client: record totals: %w", err)
	}
	return nil
}

func (c *Client) Headings(ctx context.Context, jobIDs []string) (map[string]applicant.Heading, error) {
	resp, err := c.jobs.ListJobHeadings(ctx, &partnercatalogv1.ListJobHeadingsRequest{JobIds: jobIDs})
	if err != nil {
		return nil, fmt.Errorf("partnercatalog client: name jobs: %w", err)
	}
	headings := map[string]applicant.Heading{}
	for _, h := range resp.GetHeadings() {
		headings[h.GetJobId()] = applicant.Heading{Title: h.GetTitle(), Employer: h.GetEmployer(), Masked: h.GetMasked()}
	}
	return headings, nil
}

// PostingFromProto extracts the job data that an application needs.
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

// questionTypes maps question types to the words used in package application. An unknown type maps to a word
// that is not used there, so no answer to such a question is accepted.
var questionTypes = vocabulary.New[partnercatalogv1.QuestionType]()
