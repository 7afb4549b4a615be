package job

import (
	"context"
	"slices"

	"vitae.internal/pkg/fault"
)

// Heading names a job to people who have applied to it.
type Heading struct {
	JobID, Title string
	// Employer is the name of the company, or the public label of a masked one, which may be
	// empty.
	Employer string
	// Masked says that the employer is masked.
	Masked bool
}

// Headings gives the headings of jobs, in no order. Unknown jobs have none.
func (s *Service) Headings(ctx context.Context, jobIDs []string) ([]Heading, error) {
	known := slices.DeleteFunc(slices.Clone(jobIDs), func(id string) bool { return !fault.IsStorable(id) })
	return s.store.Headings(ctx, known)
}
