package job

import (
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// ErrNotFound is an unknown job. For a job of another app's company, the error is
// company.ErrNotManaged.
var ErrNotFound = errs.New(errs.NotFound, "JOB_NOT_FOUND", "There is no job with this id.")

// The transitions that a job's status forbids (behaviour: jobs#job-states).
var (
	ErrLiveAlready     = forbidden("the job is live already")
	ErrArchived        = forbidden("an archived job cannot be published")
	ErrNotLive         = forbidden("the job is not live")
	ErrLive            = forbidden("a live job must be closed before it is archived")
	ErrArchivedAlready = forbidden("the job is archived already")
	ErrCannotEdit      = forbidden("an archived job cannot be edited")
)

func forbidden(why string) *errs.Error {
	return errs.New(errs.Precondition, fault.CodeValidation, "%s", why).WithField("status")
}
