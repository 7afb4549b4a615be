package company

import (
	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/validate"
)

// The errors of this package, apart from faults of a request.
var (
	// ErrNotManaged is for every company that the app did not make, unknown ones
	// included (decision 24).
	ErrNotManaged = errs.New(errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "The company is not managed by this app.")
	// ErrNotFound is for internal callers alone.
	ErrNotFound = errs.New(errs.NotFound, "COMPANY_NOT_FOUND", "There is no such company.")
	// ErrSlugTaken is a given slug that another company has.
	ErrSlugTaken = errs.New(errs.Invalid, validate.Code, "is taken").WithField("slug")
	// ErrSlugFixed is a change of a slug.
	ErrSlugFixed = errs.New(errs.Invalid, validate.Code, "cannot be changed").WithField("slug")
	// ErrExternalIDFixed is a change of an external id.
	ErrExternalIDFixed = errs.New(errs.Invalid, validate.Code, "cannot be changed").WithField("external_id")
	// ErrExternalIDTaken tells the service that the app has a company of the
	// external id already. It reaches no caller.
	ErrExternalIDTaken = errs.New(errs.Exists, "EXTERNAL_ID_TAKEN", "The external id is taken.").WithField("external_id")
)
