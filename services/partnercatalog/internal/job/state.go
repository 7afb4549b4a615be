package job

import (
	"time"

	"vitae.internal/pkg/fault"
)

// publish makes a draft or a closed job live, if it keeps the contract
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

// close takes a live job off every public surface.
func (j *Job) close(now time.Time) error {
	if j.Status != Active {
		return ErrNotLive
	}
	j.Status = Closed
	j.touch(now)
	return nil
}

// archive takes a draft or a closed job out of everyday management.
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

// edit replaces sections of a job by those of an input of sound shape. A live job
// must keep the contract. Without sections nothing changes.
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

// begin starts the life of a job that holds the sections of a request. shape has the
// faults of their shape.
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

// touch sets UpdatedAt to now, or to a millisecond after the last change if the clock
// of this process is behind the clock that recorded it.
func (j *Job) touch(now time.Time) {
	next := j.UpdatedAt.Add(time.Millisecond)
	if now = now.Truncate(time.Millisecond); now.After(next) {
		next = now
	}
	j.UpdatedAt = next
}
