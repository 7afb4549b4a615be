package job

import (
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/validate"
)

// The moves that a job's status forbids (spec: Job status).
var (
	ErrLiveAlready     = forbidden("the job is live already")
	ErrArchived        = forbidden("an archived job cannot be published")
	ErrNotLive         = forbidden("the job is not live")
	ErrLive            = forbidden("a live job must be closed before it is archived")
	ErrArchivedAlready = forbidden("the job is archived already")
	ErrCannotEdit      = forbidden("an archived job cannot be edited")
)

func forbidden(why string) *errs.Error {
	return errs.New(errs.Precondition, validate.Code, "%s", why).WithField("status")
}

// publish makes a draft or a closed job live, if it keeps the contract.
func (j *Job) publish(now time.Time) error {
	switch j.Status {
	case Active:
		return ErrLiveAlready
	case Archived:
		return ErrArchived
	}
	if err := j.checkContract(); err != nil {
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

// edit replaces sections of a job by those of a checked input. A live job must
// keep the contract. Without sections nothing changes.
func (j *Job) edit(in Input, sections []Section, now time.Time) error {
	if j.Status == Archived {
		return ErrCannotEdit
	}
	if len(sections) == 0 {
		return nil
	}
	j.replace(in, sections)
	if j.Status == Active {
		if err := j.checkContract(); err != nil {
			return err
		}
	}
	j.touch(now)
	return nil
}

// begin starts the life of a job that holds the sections of a checked input.
func (j *Job) begin(live bool, now time.Time) error {
	j.CreatedAt = now.Truncate(time.Millisecond)
	j.UpdatedAt = j.CreatedAt
	j.Status = Draft
	if !live {
		return nil
	}
	if err := j.checkContract(); err != nil {
		return err
	}
	first := j.CreatedAt
	j.Status, j.PostedAt = Active, &first
	return nil
}

// touch moves UpdatedAt on, by a millisecond when the clock of this process is
// behind that of the one which changed the job last.
func (j *Job) touch(now time.Time) {
	next := j.UpdatedAt.Add(time.Millisecond)
	if now = now.Truncate(time.Millisecond); now.After(next) {
		next = now
	}
	j.UpdatedAt = next
}
