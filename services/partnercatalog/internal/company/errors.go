package company

import (
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// Errors of this package, in addition to validation errors.
var (
	// ErrNotManaged is returned to an app for every company that it did not create, even if the
	// company does not exist (behaviour: companies#companies-of-other-apps).
	ErrNotManaged = errs.New(errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "The company is not managed by this app.")
	// ErrNotFound is returned for an unknown company. Only internal callers receive it.
	ErrNotFound        = errs.New(errs.NotFound, "COMPANY_NOT_FOUND", "There is no such company.")
	ErrSlugTaken       = errs.New(errs.Invalid, fault.CodeValidation, "is taken").WithField("slug")
	ErrSlugFixed       = errs.New(errs.Invalid, fault.CodeValidation, "cannot be changed").WithField("slug")
	ErrExternalIDFixed = errs.New(errs.Invalid, fault.CodeValidation, "cannot be changed").WithField("external_id")
	// ErrExternalIDTaken means that the app already has a company with the external id. Create
	// handles it, so no caller receives it.
	ErrExternalIDTaken = errs.New(errs.Exists, "EXTERNAL_ID_TAKEN", "The external id is taken.").WithField("external_id")
)
