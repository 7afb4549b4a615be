package fault

import (
	"fmt"

	"vitae.internal/pkg/errs"
)

// InJSON is the error of a request that cannot be read. The gateway makes it before
// there is a message of the .proto, so the place is already in the words of the
// sender: a path of the JSON, or the name of a parameter or header. The message
// begins with it and is shown as it is.
func InJSON(place, rule string, args ...any) *errs.Error {
	return errs.New(errs.Invalid, CodeValidation, "%s: %s", place, fmt.Sprintf(rule, args...))
}
