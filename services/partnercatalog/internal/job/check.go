package job

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/validate"
)

// faults are the checks of jobs.
type faults struct{ validate.Fields }

func newFaults(kind errs.Kind) *faults { return &faults{validate.New(kind)} }

// visible checks an identifier that is kept as it was given.
func (f *faults) visible(path, s string, limit int) {
	f.Text(path, s, limit)
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
		f.Fail(path, "must hold visible characters only")
	}
}

// texts checks a list of texts.
func (f *faults) texts(path string, list []string, items, limit int) {
	f.each(path, list, items, func(path, s string) { f.Text(path, s, limit) })
}

// lines checks a list of texts that are single lines.
func (f *faults) lines(path string, list []string, items, limit int) {
	f.each(path, list, items, func(path, s string) { f.Line(path, s, limit) })
}

func (f *faults) each(path string, list []string, items int, check func(path, s string)) {
	if !f.count(path, len(list), items) {
		return
	}
	for i, s := range list {
		check(fmt.Sprintf("%s[%d]", path, i), s)
	}
}

// count checks the length of a list. It reports whether the items are worth a
// look: a body of 1 MiB can hold hundreds of thousands, and nothing more is said
// of a list that is too long.
func (f *faults) count(path string, n, limit int) bool {
	if n > limit {
		f.Fail(path, "must have at most %d items", limit)
		return false
	}
	return true
}

// oneOf checks that a field that must be said has one of its words.
func oneOf[W ~string](f *faults, path string, word W, allowed []W) {
	if word == "" {
		f.Fail(path, "is required")
		return
	}
	maybeOneOf(f, path, word, allowed)
}

// maybeOneOf checks that a field has one of its words, or none.
func maybeOneOf[W ~string](f *faults, path string, word W, allowed []W) {
	if word == "" || slices.Contains(allowed, word) {
		return
	}
	names := make([]string, len(allowed))
	for i, w := range allowed {
		names[i] = string(w)
	}
	f.Fail(path, "must be one of %s", strings.Join(names, ", "))
}
