package fault

import (
	"fmt"

	"vitae.internal/pkg/errs"
)

// InJSON returns the error of a request that cannot be parsed. The gateway creates it before there
// is a message, so place is already in the sender's terms: a JSON path, or the name of a parameter
// or header. The message starts with it.
func InJSON(place, rule string, args ...any) *errs.Error {
	return errs.New(errs.Invalid, CodeValidation, "%s: %s", place, fmt.Sprintf(rule, args...))
}
