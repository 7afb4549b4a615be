package profile

import "vitae.internal/pkg/errs"

// The errors of this package, apart from INVALID_ARGUMENT.
var (
	ErrProfileNotFound = errs.New(errs.NotFound, "PROFILE_NOT_FOUND", "There is no such profile.")
	ErrProfileExists   = errs.New(errs.Exists, "PROFILE_EXISTS", "The person has a profile already.").WithField(root + ".person_id")
	ErrUsernameTaken   = errs.New(errs.Exists, "USERNAME_TAKEN", "The username is taken.").WithField(root + "." + string(FieldUsername))
	ErrCvNotFound      = errs.New(errs.NotFound, "CV_NOT_FOUND", "There is no such CV.")
	ErrTooManyCvs      = errs.New(errs.Precondition, "TOO_MANY_CVS", "The person has %d CVs, and cannot have more.", MaxCvs)
)
