package fault

import (
	"fmt"
	"slices"
	"strings"

	"vitae.internal/pkg/errs"
)

// Reason codes of field faults.
const (
	// CodeValidation is the reason of every fault that a partner can cause
	// (behaviour: errors).
	CodeValidation = "PUBLIC_API_VALIDATION_ERROR"
	// CodeArgument is the reason of faults in requests of internal callers.
	CodeArgument = "INVALID_ARGUMENT"
)

// A list travels in the trailer of a gRPC answer, so it is bounded, by the number of
// its faults and by the bytes of their texts. A request with more faults than that
// needs a second attempt anyway; a last entry without a path says that the list was
// cut.
const (
	maxFaults = 1000
	maxBytes  = 128 << 10
	cutClause = "more fields have faults than are listed"
)

// cut is the last entry of a list that was cut.
var cut = errs.Violation{Description: cutClause}

// IsCut reports whether an entry of a list says that the list was cut. It names no
// field, and is no fault.
func IsCut(v errs.Violation) bool { return v == cut }

// List collects the faults of one request. Make it with New.
type List struct {
	kind       errs.Kind
	code       string
	violations []errs.Violation
	// bytes are the lengths of all paths and clauses.
	bytes int
	// paths are the fields that have a fault.
	paths map[string]bool
	// cut is true if a fault found no room.
	cut bool
}

// New makes an empty list. Its error will have the kind and the reason code.
func New(kind errs.Kind, code string) *List { return &List{kind: kind, code: code} }

// Validation makes a list for a request of a partner.
func Validation() *List { return New(errs.Invalid, CodeValidation) }

// Argument makes a list for a request of an internal caller.
func Argument() *List { return New(errs.Invalid, CodeArgument) }

// Add records that the field at path breaks a rule. The path is in the names of
// the .proto, as in `questions[2].default_key` or `socials["github"]`; the rule is
// a format and its arguments. A field keeps its first fault: what else is wrong
// with it often only follows from that one.
func (l *List) Add(path, rule string, args ...any) {
	clause := fmt.Sprintf(rule, args...)
	if l.paths[path] {
		return
	}
	if len(l.violations) == maxFaults || l.bytes+len(path)+len(clause) > maxBytes && l.bytes > 0 {
		l.cut = true
		return
	}
	l.bytes += len(path) + len(clause)
	if l.paths == nil {
		l.paths = map[string]bool{}
	}
	l.paths[path] = true
	l.violations = append(l.violations, errs.Violation{Field: path, Description: clause})
}

// Merge adds the faults that err carries, behind those that are there. It returns
// err itself if err is something else than a list of faults, which the caller then
// must hand on, and nil otherwise.
func (l *List) Merge(err error) error {
	if err == nil {
		return nil
	}
	e, ok := errs.As(err)
	if !ok || len(e.Violations) == 0 {
		return err
	}
	for _, v := range e.Violations {
		if IsCut(v) {
			l.cut = true
			continue
		}
		l.Add(v.Field, "%s", v.Description)
	}
	return nil
}

// Has reports whether the field at path, or a field inside it, has a fault.
func (l *List) Has(path string) bool {
	for _, v := range l.violations {
		rest, below := strings.CutPrefix(v.Field, path)
		if below && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// Covers reports whether the field at path, or a field that holds it, has a fault:
// then nothing certain is known of the field itself. A nil list covers nothing.
func (l *List) Covers(path string) bool {
	if l == nil {
		return false
	}
	for i := range len(path) {
		if (path[i] == '.' || path[i] == '[') && l.paths[path[:i]] {
			return true
		}
	}
	return l.paths[path]
}

// Err is the error that carries all faults, nil if there is none. Its message is
// the first fault, behind the path of its field. If the list was cut, the last
// violation says so (IsCut).
func (l *List) Err() error {
	if len(l.violations) == 0 {
		return nil
	}
	first, all := l.violations[0], l.violations
	if l.cut {
		all = append(slices.Clone(all), cut)
	}
	return errs.New(l.kind, l.code, "%s: %s", first.Field, first.Description).WithViolations(all...)
}

// Of is the error of a request with a single fault.
func Of(code, path, rule string, args ...any) *errs.Error {
	clause := fmt.Sprintf(rule, args...)
	return errs.New(errs.Invalid, code, "%s: %s", path, clause).
		WithViolations(errs.Violation{Field: path, Description: clause})
}
