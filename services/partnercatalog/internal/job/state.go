package job

import (
	"context"
	"time"

	"vitae.internal/pkg/fault"
)

// publish makes a draft or a closed job live if it meets the publish contract
// (behaviour: jobs#publish-close-archive).
func (j *Job) publish(now time.Time) error {
	switch j.Status {
	case Active:
		return ErrLiveAlready
	case Archived:
		return ErrArchived
	}
	if err := j.checkContract(nil); err != nil {
		return err
	}
	j.Status = Active
	j.touch(now)
	if j.PostedAt == nil {
		first := j.UpdatedAt
		j.PostedAt = &first
	}
	return nil
}

func (j *Job) close(now time.Time) error {
	if j.Status != Active {
		return ErrNotLive
	}
	j.Status = Closed
	j.touch(now)
	return nil
}

func (j *Job) archive(now time.Time) error {
	switch j.Status {
	case Active:
		return ErrLive
	case Archived:
		return ErrArchivedAlready
	}
	j.Status = Archived
	j.touch(now)
	return nil
}

// edit replaces sections of the job with the sections of a valid input. A live job must still meet
// the contract afterwards.
func (j *Job) edit(in Input, sections []Section, now time.Time) error {
	if j.Status == Archived {
		return ErrCannotEdit
	}
	if len(sections) == 0 {
		return nil
	}
	j.replace(in, sections)
	if j.Status == Active {
		if err := j.checkContract(nil); err != nil {
			return err
		}
	}
	j.touch(now)
	return nil
}

// begin initializes a job whose sections are set. shape contains the shape errors of the request.
func (j *Job) begin(live bool, now time.Time, shape *fault.List) error {
	j.CreatedAt = now.Truncate(time.Millisecond)
	j.UpdatedAt = j.CreatedAt
	j.Status = Draft
	if !live {
		return nil
	}
	if err := j.checkContract(shape); err != nil {
		return err
	}
	first := j.CreatedAt
	j.Status, j.PostedAt = Active, &first
	return nil
}

// touch sets UpdatedAt to now, or to a millisecond after its current value if that is later,
// because this process's clock may be slow.
func (j *Job) touch(now time.Time) {
	next := j.UpdatedAt.Add(time.Millisecond)
	if now = now.Truncate(time.Millisecond); now.After(next) {
		next = now
	}
	j.UpdatedAt = next
}

// Update replaces sections of a job with the sections of in. It returns all shape errors,
// ErrCannotEdit if the job is archived, or the contract violations if the change would make a live
// job violate the contract. It can also return ErrNotFound and company.ErrNotManaged, like Job.
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
	return s.cfg.Store.EditJob(ctx, appID, jobID, func(j *Job) error { return j.edit(in, sections, s.cfg.Clock.Now()) })
}

// Publish makes a draft or a closed job live. It returns ErrLiveAlready or ErrArchived if the job
// has a different status, and the contract violations if there are any. It can also return
// ErrNotFound and company.ErrNotManaged, like Job.
func (s *Service) Publish(ctx context.Context, appID, jobID string) (Job, error) {
	return s.move(ctx, appID, jobID, func(j *Job) error { return j.publish(s.cfg.Clock.Now()) })
}

// Close closes a live job, which then disappears from every public page. It returns ErrNotLive if
// the job has a different status. It can also return ErrNotFound and company.ErrNotManaged, like Job.
func (s *Service) Close(ctx context.Context, appID, jobID string) (Job, error) {
	return s.move(ctx, appID, jobID, func(j *Job) error { return j.close(s.cfg.Clock.Now()) })
}

// Archive archives a draft or a closed job, which hides it from default lists. It returns ErrLive
// or ErrArchivedAlready if the job has a different status. It can also return ErrNotFound and
// company.ErrNotManaged, like Job.
func (s *Service) Archive(ctx context.Context, appID, jobID string) (Job, error) {
	return s.move(ctx, appID, jobID, func(j *Job) error { return j.archive(s.cfg.Clock.Now()) })
}

func (s *Service) move(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error) {
	if !fault.IsStorable(jobID) {
		return Job{}, ErrNotFound
	}
	return s.cfg.Store.MoveJob(ctx, appID, jobID, change)
}
