package job

import (
	"context"

	"vitae.internal/pkg/fault"
)

// Update replaces sections of a job with those of in. Errors: every fault of the shape;
// ErrNotFound, company.ErrNotManaged; ErrCannotEdit; for a live job, every fault of the publish
// contract.
func (s *Service) Update(ctx context.Context, appID, jobID string, in Input, sections []Section) (Job, error) {
	in = in.tidied()
	f := newFaults()
	in.shape(f, sections)
	if err := f.Err(); err != nil {
		return Job{}, err
	}
	if !fault.IsStorable(jobID) {
		return Job{}, ErrNotFound
	}
	return s.store.EditJob(ctx, appID, jobID, func(j *Job) error { return j.edit(in, sections, s.clock.Now()) })
}

// Publish makes a draft or a closed job live. Errors: ErrNotFound, company.ErrNotManaged;
// ErrLiveAlready, ErrArchived; every fault of the publish contract.
func (s *Service) Publish(ctx context.Context, appID, jobID string) (Job, error) {
	return s.move(ctx, appID, jobID, func(j *Job) error { return j.publish(s.clock.Now()) })
}

// Close ends a live job, which then disappears from every public page. Errors: ErrNotFound,
// company.ErrNotManaged; ErrNotLive.
func (s *Service) Close(ctx context.Context, appID, jobID string) (Job, error) {
	return s.move(ctx, appID, jobID, func(j *Job) error { return j.close(s.clock.Now()) })
}

// Archive hides a draft or a closed job from everyday lists. Errors: ErrNotFound,
// company.ErrNotManaged; ErrLive, ErrArchivedAlready.
func (s *Service) Archive(ctx context.Context, appID, jobID string) (Job, error) {
	return s.move(ctx, appID, jobID, func(j *Job) error { return j.archive(s.clock.Now()) })
}

func (s *Service) move(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error) {
	if !fault.IsStorable(jobID) {
		return Job{}, ErrNotFound
	}
	return s.store.MoveJob(ctx, appID, jobID, change)
}
