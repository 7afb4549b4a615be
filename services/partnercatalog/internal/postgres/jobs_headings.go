package postgres

import (
	"context"

	"vitae.internal/services/partnercatalog/internal/job"
)

func (s *Store) Headings(ctx context.Context, jobIDs []string) ([]job.Heading, error) {
	rows, err := s.q.JobHeadings(ctx, jobIDs)
	headings := make([]job.Heading, len(rows))
	for i, row := range rows {
		headings[i] = job.Heading{JobID: row.ID, Title: row.Title, Employer: row.Employer, Masked: row.Masked}
	}
	return headings, errorOf("read headings of jobs", err, nil)
}
