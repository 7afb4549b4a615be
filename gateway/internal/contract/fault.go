package contract

import (
	"fmt"
	"strings"

	"vitae.internal/pkg/errs"
)

// CodeInvalid is the code of a request that breaks its contract.
const CodeInvalid = "PUBLIC_API_VALIDATION_ERROR"

// Invalid is the error for a request that breaks its contract. The path is that
// of the offending field, parameter or header as the caller knows it; the message
// begins with it.
func Invalid(path, format string, args ...any) *errs.Error {
	return errs.New(errs.Invalid, CodeInvalid, "%s: %s", path, fmt.Sprintf(format, args...))
}

// JSONPath turns the path of a field, in the names of the .proto, into the same
// path in the names of the JSON: questions[2].default_key is
// questions[2].defaultKey there.
func JSONPath(path string) string {
	if !strings.Contains(path, "_") {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if c := path[i]; c != '_' {
			b.WriteByte(c)
			continue
		}
		if i+1 < len(path) && path[i+1] >= 'a' && path[i+1] <= 'z' {
			i++
			b.WriteByte(path[i] - 'a' + 'A')
		}
	}
	return b.String()
}
