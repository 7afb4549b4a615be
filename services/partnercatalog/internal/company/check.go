package company

import (
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vitae.internal/pkg/errs"
)

// code is the reason code of every fault of a request (spec: Partner API errors).
const code = "PUBLIC_API_VALIDATION_ERROR"

// faults checks fields one after the other and keeps the first broken rule, with
// the path of its field in the names of the .proto and a clause that the edge
// prints behind the path's JSON spelling. The zero value is ready. It never
// repeats a value in a message.
type faults struct {
	first *errs.Error
}

// err is the first broken rule, nil if there is none.
func (f *faults) err() error {
	if f.first == nil {
		return nil
	}
	return f.first
}

func (f *faults) fail(path, rule string, args ...any) {
	if f.first == nil {
		f.first = errs.New(errs.Invalid, code, rule, args...).WithField(path)
	}
}

// text checks that s is text that JSON and Postgres can hold, of at most limit
// characters. It reports whether it is.
func (f *faults) text(path, s string, limit int) bool {
	switch {
	case !utf8.ValidString(s):
		f.fail(path, "must be valid UTF-8")
	case strings.ContainsRune(s, 0):
		f.fail(path, "must not hold a NUL character")
	case utf8.RuneCountInString(s) > limit:
		f.fail(path, "must be at most %d characters", limit)
	default:
		return true
	}
	return false
}

// required checks as text does, and that s is not blank.
func (f *faults) required(path, s string, limit int) bool {
	if !f.text(path, s, limit) {
		return false
	}
	if isBlank(s) {
		f.fail(path, "must not be blank")
		return false
	}
	return true
}

// isBlank reports whether s shows nothing: it is empty, or holds only white space
// and characters without a shape, such as zero-width spaces. NUL is not blank, so
// that it is refused wherever it stands.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r == 0 || !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf)
	})
}

// trim gives s without white space round it, and empty text when it is blank.
func trim(s string) string {
	if isBlank(s) {
		return ""
	}
	return strings.TrimSpace(s)
}

// trimmed is trim of a text that may not be given; nil stays nil.
func trimmed(s *string) *string {
	if s == nil {
		return nil
	}
	t := trim(*s)
	return &t
}

// description checks an About paragraph (decision 25). s is trimmed.
func (f *faults) description(path, s string) {
	if f.required(path, s, maxDescription) && utf8.RuneCountInString(s) < minDescription {
		f.fail(path, "must be at least %d characters", minDescription)
	}
}

// link checks that s is an absolute http or https URL with a host (decision 25).
// One with credentials would hand them to everyone who sees the page.
func (f *faults) link(path, s string) {
	if f.text(path, s, maxLink) && !isLink(s) {
		f.fail(path, "must be an http or https URL with a host, without credentials")
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

var slugForm = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// slug checks a slug that an app gave (decision 25).
func (f *faults) slug(path, s string) {
	if !slugForm.MatchString(s) {
		f.fail(path, "must be 1 to %d lower-case letters, digits and hyphens", maxSlug)
	}
}

// day checks that s is YYYY-MM-DD and exists in the calendar.
func (f *faults) day(path, s string) {
	// Time of the year 0 parses, but the calendar has no such year.
	if t, err := time.Parse(time.DateOnly, s); err != nil || t.Year() == 0 {
		f.fail(path, "must be a date of the calendar, YYYY-MM-DD")
	}
}
