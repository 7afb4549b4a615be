package job

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vitae.internal/pkg/fault"
)

// faults collects a job's shape errors (see shape.go).
type faults struct{ *fault.List }

func newFaults() *faults { return &faults{fault.Validation()} }

// sound returns the sections without an error on the section itself.
func (f *faults) sound(sections []Section) []Section {
	return slices.DeleteFunc(slices.Clone(sections), func(s Section) bool { return f.Covers(string(s)) })
}

// visible checks that an identifier contains only visible characters. Identifiers are stored as
// sent.
func (f *faults) visible(path, s string, limit int) {
	f.Text(path, s, limit)
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
		f.Add(path, "must hold visible characters only")
	}
}

func (f *faults) texts(path string, list []string, items, limit int) {
	f.each(path, list, items, func(path, s string) { f.Text(path, s, limit) })
}

func (f *faults) lines(path string, list []string, items, limit int) {
	f.each(path, list, items, func(path, s string) { f.Line(path, s, limit) })
}

func (f *faults) each(path string, list []string, items int, check func(path, s string)) {
	if !f.Count(path, len(list), items) {
		return
	}
	for i, s := range list {
		check(fmt.Sprintf("%s[%d]", path, i), s)
	}
}

// oneOf checks that a required field is set to an allowed value.
func oneOf[W ~string](f *faults, path string, word W, allowed []W) {
	if word == "" {
		f.Add(path, "is required")
		return
	}
	maybeOneOf(f, path, word, allowed)
}

// maybeOneOf checks that a field is empty or set to an allowed value.
func maybeOneOf[W ~string](f *faults, path string, word W, allowed []W) {
	if word == "" || slices.Contains(allowed, word) {
		return
	}
	names := make([]string, len(allowed))
	for i, w := range allowed {
		names[i] = string(w)
	}
	f.Add(path, "must be one of %s", strings.Join(names, ", "))
}
