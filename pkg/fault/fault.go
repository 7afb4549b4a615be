package fault

import (
	"fmt"
	"slices"
	"strings"

	"vitae.internal/pkg/errs"
)

// Reason codes of faults.
const (
	// CodeValidation is the code of all faults in requests from partners (behaviour: errors).
	CodeValidation = "PUBLIC_API_VALIDATION_ERROR"
	// CodeArgument is the code of faults in requests from internal callers.
	CodeArgument = "INVALID_ARGUMENT"
)

// Lists are transmitted in the trailer of a gRPC response, so the number of faults and their total
// size are limited. The last entry of a truncated list has no path and consists of cutClause.
const (
	maxFaults = 1000
	maxBytes  = 128 << 10
	cutClause = "more fields have faults than are listed"
)

// cut is the last entry of a truncated list.
var cut = errs.Violation{Description: cutClause}

// IsCut reports whether an entry only marks the list as truncated.
func IsCut(v errs.Violation) bool { return v == cut }

// List collects the faults in one request. Create it with New.
type List struct {
	kind       errs.Kind
	code       string
	violations []errs.Violation
	// bytes is the total length of paths and clauses.
	bytes int
	// paths is the set of fields that have a fault.
	paths map[string]bool
	// cut reports whether the list is truncated.
	cut bool
}

// New returns an empty list whose Err has the given kind and code.
func New(kind errs.Kind, code string) *List { return &List{kind: kind, code: code} }

// Validation returns an empty list for a request from a partner.
func Validation() *List { return New(errs.Invalid, CodeValidation) }

// Argument returns an empty list for a request from an internal caller.
func Argument() *List { return New(errs.Invalid, CodeArgument) }

// Add records a fault in the field at path. The path uses proto names, as in
// `questions[2].default_key` or `socials["github"]`. rule is a format with arguments. Only the
// first fault of a field is kept, because later ones often follow from it.
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

// Merge appends the faults in err and returns nil. If err contains no faults, Merge returns err,
// which the caller must return.
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

// Covers reports whether the field at path, or a field that encloses it, has a fault, which makes
// its value unreliable. A nil list covers nothing.
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

// Err returns an error with all faults, or nil if there are none. Its message is the first fault
// with its path. If the list was truncated, the last violation is a marker (see IsCut).
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

// Of returns an Invalid error with a single fault.
func Of(code, path, rule string, args ...any) *errs.Error {
	clause := fmt.Sprintf(rule, args...)
	return errs.New(errs.Invalid, code, "%s: %s", path, clause).
		WithViolations(errs.Violation{Field: path, Description: clause})
}
