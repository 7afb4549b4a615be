package job

import (
	"context"
	"slices"

	"vitae.internal/pkg/fault"
)

// Heading describes a job to people who have applied to it.
type Heading struct {
	JobID, Title string
	// Employer is the name of the company, or the public label of a masked one, which may be
	// empty.
	Employer string
	Masked   bool
}

// Headings returns the headings of jobs in no particular order, skipping unknown jobs.
func (s *Service) Headings(ctx context.Context, jobIDs []string) ([]Heading, error) {
	known := slices.DeleteFunc(slices.Clone(jobIDs), func(id string) bool { return !fault.IsStorable(id) })
	return s.store.Headings(ctx, known)
}
