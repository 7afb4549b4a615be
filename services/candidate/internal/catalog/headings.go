package catalog

import (
	"context"
	"fmt"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/candidate/internal/applicant"
)

var _ applicant.Jobs = (*Client)(nil)

func (c *Client) Headings(ctx context.Context, jobIDs []string) (map[string]applicant.Heading, error) {
	resp, err := c.jobs.ListJobHeadings(ctx, &partnercatalogv1.ListJobHeadingsRequest{JobIds: jobIDs})
	if err != nil {
		return nil, fmt.Errorf("catalog: name jobs: %w", err)
	}
	headings := map[string]applicant.Heading{}
	for _, h := range resp.GetHeadings() {
		headings[h.GetJobId()] = applicant.Heading{Title: h.GetTitle(), Employer: h.GetEmployer(), Masked: h.GetMasked()}
	}
	return headings, nil
}
