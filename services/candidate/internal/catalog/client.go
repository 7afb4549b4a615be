package catalog

import (
	"context"
	"fmt"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
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

// NewClient makes a client on a connection of grpcx.Dial, which stays the
// caller's.
func NewClient(conn grpc.ClientConnInterface) *Client {
	return &Client{jobs: partnercatalogv1.NewJobPostingServiceClient(conn)}
}

// Posting implements application.Catalog.
func (c *Client) Posting(ctx context.Context, jobID string) (application.Posting, error) {
	if jobID == "" {
		return application.Posting{}, application.ErrJobNotFound // the contract takes none
	}
	resp, err := c.jobs.GetJobPosting(ctx, &partnercatalogv1.GetJobPostingRequest{JobId: jobID})
	switch {
	case errs.HasCode(err, application.ErrJobNotFound.Code):
		return application.Posting{}, application.ErrJobNotFound
	case err != nil:
		return application.Posting{}, fmt.Errorf("catalog: read job: %w", err)
	}
	return PostingOf(resp.GetPosting()), nil
}

// RecordTotals implements delivery.Catalog.
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

// PostingOf gives what an application needs of a job.
func PostingOf(p *partnercatalogv1.JobPosting) application.Posting {
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
			Type:     questionTypes[q.GetType()],
			Required: q.GetRequired(),
			Options:  q.GetOptions(),
		})
	}
	return out
}

// questionTypes has the types that there are; of another one comes none.
var questionTypes = map[partnercatalogv1.QuestionType]application.QuestionType{
	partnercatalogv1.QuestionType_QUESTION_TYPE_YES_NO:          application.YesNo,
	partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE: application.MultipleChoice,
	partnercatalogv1.QuestionType_QUESTION_TYPE_SHORT_ANSWER:    application.ShortAnswer,
	partnercatalogv1.QuestionType_QUESTION_TYPE_LONG_ANSWER:     application.LongAnswer,
	partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER:          application.Number,
}
