package company

import (
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// The errors of this package, apart from faults of a request.
var (
	// ErrNotManaged is for every company that the app did not make, unknown ones
	// included (behaviour: companies#not-managed-by-the-app).
	ErrNotManaged = errs.New(errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "The company is not managed by this app.")
	// ErrNotFound is an unknown company. Only internal callers see it.
	ErrNotFound = errs.New(errs.NotFound, "COMPANY_NOT_FOUND", "There is no such company.")
	// ErrSlugTaken says that another company has the slug of a request.
	ErrSlugTaken = errs.New(errs.Invalid, fault.CodeValidation, "is taken").WithField("slug")
	// ErrSlugFixed is an attempt to change a slug.
	ErrSlugFixed = errs.New(errs.Invalid, fault.CodeValidation, "cannot be changed").WithField("slug")
	// ErrExternalIDFixed is an attempt to change an external id.
	ErrExternalIDFixed = errs.New(errs.Invalid, fault.CodeValidation, "cannot be changed").WithField("external_id")
	// ErrExternalIDTaken tells the service that the app has a company with the
	// external id already. No caller sees it.
	ErrExternalIDTaken = errs.New(errs.Exists, "EXTERNAL_ID_TAKEN", "The external id is taken.").WithField("external_id")
)
