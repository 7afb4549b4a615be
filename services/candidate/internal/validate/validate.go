package validate

import (
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/pkg/errs"
)

// Code is the reason code of every error of this package.
const Code = "INVALID_ARGUMENT"

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

// Fail records that the field at path breaks a rule.
func (f *Fields) Fail(path, rule string, args ...any) {
	if f.err == nil {
		f.err = errs.New(errs.Invalid, Code, "%s: %s", path, fmt.Sprintf(rule, args...)).WithField(path)
	}
}

// Text checks that s is text that JSON, Postgres and a page can hold, of at most
// limit characters. It reports whether it is.
func (f *Fields) Text(path, s string, limit int) bool {
	switch {
	case !utf8.ValidString(s):
		f.Fail(path, "must be valid UTF-8")
	case strings.ContainsRune(s, 0):
		f.Fail(path, "must not hold a NUL character")
	case utf8.RuneCountInString(s) > limit:
		f.Fail(path, "must be at most %d characters long", limit)
	default:
		return true
	}
	return false
}

// Required checks as Text does, and that s is not blank.
func (f *Fields) Required(path, s string, limit int) {
	if f.Text(path, s, limit) && strings.TrimSpace(s) == "" {
		f.Fail(path, "is required")
	}
}

// Email checks an e-mail address without a display name (RFC 5322 addr-spec).
func (f *Fields) Email(path, s string) {
	if !f.Text(path, s, maxEmail) {
		return
	}
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
		f.Fail(path, "must be an e-mail address")
	}
}

// maxEmail is the longest address that SMTP can carry (RFC 5321 §4.5.3.1.3).
const maxEmail = 254

// Count checks the number of items in a list.
func (f *Fields) Count(path string, n, limit int) {
	if n > limit {
		f.Fail(path, "must have at most %d items", limit)
	}
}

// Handle checks a short identifier that is kept as it is given: visible
// characters without spaces.
func (f *Fields) Handle(path, s string, limit int) {
	if f.Text(path, s, limit) && strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		f.Fail(path, "must hold visible characters only")
	}
}
