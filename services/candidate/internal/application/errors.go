package application

import "vitae.internal/pkg/errs"

// Errors of this package, except INVALID_ARGUMENT and APPLICATION_TRANSITION_INVALID.
var (
	ErrJobNotFound         = errs.New(errs.NotFound, "JOB_NOT_FOUND", "There is no job with this id.")
	ErrJobNotLive          = errs.New(errs.Precondition, "JOB_NOT_LIVE", "The job takes no applications now.")
	ErrAlreadyApplied      = errs.New(errs.Exists, "ALREADY_APPLIED", "The person has applied for this job already.")
	ErrResumeNotFound      = errs.New(errs.NotFound, "RESUME_NOT_FOUND", "There is no such resume that is free.")
	ErrApplicationNotFound = errs.New(errs.NotFound, "APPLICATION_NOT_FOUND", "There is no application with this id.")
	// ErrNotManaged is returned for a job or an application that belongs to a different app
	// (behaviour: companies#companies-of-other-apps).
	ErrNotManaged = errs.New(errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "The company is not managed by this app.")
)
