package job

import (
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// ErrNotFound is returned for an unknown job. For a job of a company that the app does not manage,
// company.ErrNotManaged is returned.
var ErrNotFound = errs.New(errs.NotFound, "JOB_NOT_FOUND", "There is no job with this id.")

// Errors of transitions that the job's status does not allow (behaviour: jobs#job-states).
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
