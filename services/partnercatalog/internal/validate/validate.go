package validate

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/pkg/errs"
)

// Code is the reason code of every error of this package (spec: Partner API
// errors).
const Code = "PUBLIC_API_VALIDATION_ERROR"

// MaxLink is the longest link in characters.
const MaxLink = 2048

// Fields checks fields one after the other and keeps the first broken rule. The
// zero value is ready.
type Fields struct {
	err *errs.Error
}

// Err is the first broken rule, nil if there is none. Its kind is Invalid.
func (f *Fields) Err() error {
	if f.err == nil {
		return nil
	}
	return f.err
}

// Fail records that the field at path breaks a rule, a clause such as "must not
// be blank".
func (f *Fields) Fail(path, rule string, args ...any) {
	if f.err == nil {
		f.err = errs.New(errs.Invalid, Code, rule, args...).WithField(path)
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

// Required checks as Text does, and that s is not blank.
func (f *Fields) Required(path, s string, limit int) {
	if f.Text(path, s, limit) && IsBlank(s) {
		f.Fail(path, "must not be blank")
	}
}

// IsBlank reports whether s shows nothing: it is empty, or holds only white
// space and characters without a shape, such as zero-width spaces.
func IsBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// Link checks that s is an absolute http or https URL with a host and without
// credentials.
func (f *Fields) Link(path, s string) {
	if f.Text(path, s, MaxLink) && !isLink(s) {
		f.Fail(path, "must be an http or https URL with a host")
	}
}

func isLink(s string) bool {
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}
