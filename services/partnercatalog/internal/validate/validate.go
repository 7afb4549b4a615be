// Package validate holds the field checks that companies and jobs share. It keeps
// the first broken rule with the path of its field, in the names of the .proto,
// and a clause that the edge prints behind the path's JSON spelling.
//
// It never changes what it checks, and never repeats a value in a message.
package validate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/pkg/errs"
)

// Code is the reason code of every fault of a request, of the publish contract
// and of the state table (spec: Partner API errors).
const Code = "PUBLIC_API_VALIDATION_ERROR"

// Fields checks fields one after the other and keeps the first broken rule.
type Fields struct {
	kind  errs.Kind
	first *errs.Error
}

// New begins checks whose faults are of one kind.
func New(kind errs.Kind) Fields { return Fields{kind: kind} }

// Err is the first broken rule, nil if there is none.
func (f *Fields) Err() error {
	if f.first == nil {
		return nil
	}
	return f.first
}

// Fail records that the field at path breaks a rule.
func (f *Fields) Fail(path, rule string, args ...any) {
	if f.first == nil {
		f.first = errs.New(f.kind, Code, rule, args...).WithField(path)
	}
}

// Text checks that s is text that JSON and Postgres can hold, of at most limit
// characters. It reports whether it is.
func (f *Fields) Text(path, s string, limit int) bool {
	switch {
	case !utf8.ValidString(s):
		f.Fail(path, "must be valid UTF-8")
	case strings.ContainsRune(s, 0):
		f.Fail(path, "must not hold a NUL character")
	case utf8.RuneCountInString(s) > limit:
		f.Fail(path, "must be at most %d characters", limit)
	default:
		return true
	}
	return false
}

// Line checks as Text does, and that s is a single line that cannot show other than
// it is: it holds no control characters, and none that embed, override or isolate
// the direction of writing (Unicode TR36 §2.5). Marks of direction, which
// Arabic needs beside Latin, are fine. It reports whether it is.
func (f *Fields) Line(path, s string, limit int) bool {
	switch {
	case !f.Text(path, s, limit):
	case strings.ContainsFunc(s, breaksLine):
		f.Fail(path, "must be a single line without control characters")
	case strings.ContainsFunc(s, steersDirection):
		f.Fail(path, "must not hold characters that override the direction of writing")
	default:
		return true
	}
	return false
}

// breaksLine reports control characters and Unicode's own line breaks.
func breaksLine(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

func steersDirection(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// NotBlank checks that s says something. It reports whether it does.
func (f *Fields) NotBlank(path, s string) bool {
	if IsBlank(s) {
		f.Fail(path, "must not be blank")
		return false
	}
	return true
}

// IsBlank reports whether s shows nothing: it is empty, or holds only white space
// and characters without a shape, such as zero-width spaces. NUL is not blank, so
// that it is refused wherever it stands.
func IsBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r == 0 || !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf)
	})
}

// IsStorable reports whether an id can be looked up at all: Postgres refuses NUL.
func IsStorable(id string) bool { return !strings.ContainsRune(id, 0) }
