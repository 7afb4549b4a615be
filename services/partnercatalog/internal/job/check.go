package job

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/pkg/errs"
)

// Code is the public code of every fault of a request, of the publish contract
// and of the state table.
const Code = "PUBLIC_API_VALIDATION_ERROR"

// faults keeps the first broken rule.
type faults struct {
	kind  errs.Kind
	first *errs.Error
}

// fail records that the field at path breaks a rule.
func (f *faults) fail(path, rule string, args ...any) {
	if f.first == nil {
		f.first = errs.New(f.kind, Code, rule, args...).WithField(path)
	}
}

// err is the first broken rule, nil if there is none.
func (f *faults) err() error {
	if f.first == nil {
		return nil
	}
	return f.first
}

// text checks what can be stored, and its length in characters.
func (f *faults) text(path, s string, limit int) {
	switch {
	case !utf8.ValidString(s):
		f.fail(path, "must be valid UTF-8")
	case strings.ContainsRune(s, 0):
		f.fail(path, "must not hold a NUL character")
	case utf8.RuneCountInString(s) > limit:
		f.fail(path, "must be at most %d characters", limit)
	}
}

// visible checks an identifier that is kept as it was given.
func (f *faults) visible(path, s string, limit int) {
	f.text(path, s, limit)
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
		f.fail(path, "must hold visible characters only")
	}
}

// texts checks a list of texts.
func (f *faults) texts(path string, list []string, items, limit int) {
	if !f.count(path, len(list), items) {
		return
	}
	for i, s := range list {
		f.text(fmt.Sprintf("%s[%d]", path, i), s, limit)
	}
}

// count checks the length of a list. It reports whether the items are worth a
// look: a body of 1 MiB can hold hundreds of thousands, and nothing more is said
// of a list that is too long.
func (f *faults) count(path string, n, limit int) bool {
	if n > limit {
		f.fail(path, "must have at most %d items", limit)
		return false
	}
	return true
}

// notBlank checks that a text says something.
func (f *faults) notBlank(path, s string) {
	if isBlank(s) {
		f.fail(path, "must not be blank")
	}
}

// isBlank reports whether s shows nothing: it is empty, or holds only white space
// and characters without a shape, such as zero-width spaces.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf)
	})
}

// oneOf checks that a field that must be said has one of its words.
func oneOf[W ~string](f *faults, path string, word W, allowed []W) {
	if word == "" {
		f.fail(path, "is required")
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
	f.fail(path, "must be one of %s", strings.Join(names, ", "))
}
