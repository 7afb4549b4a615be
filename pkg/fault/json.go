package fault

import (
	"fmt"

	"vitae.internal/pkg/errs"
)

// InJSON returns an error for a request that cannot be parsed. The gateway calls it before there is
// a proto message, so place is in the sender's terms: a JSON path, or the name of a parameter or
// header. The error message starts with place.
func InJSON(place, rule string, args ...any) *errs.Error {
	return errs.New(errs.Invalid, CodeValidation, "%s: %s", place, fmt.Sprintf(rule, args...))
}
