package company

import (
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vitae.internal/pkg/fault"
)

// faults collects what is wrong with a request about a company.
type faults struct{ *fault.List }

func newFaults() *faults { return &faults{fault.Validation()} }

// required checks as Text does, and that s is not blank. It reports whether s passes.
func (f *faults) required(path, s string, limit int) bool {
	return f.Text(path, s, limit) && f.NotBlank(path, s)
}

// line checks as required does, and that s is a single line. It reports whether s
// passes.
func (f *faults) line(path, s string, limit int) bool {
	return f.Line(path, s, limit) && f.NotBlank(path, s)
}

// trim gives s without white space round it, and empty text when it is blank.
func trim(s string) string {
	if fault.IsBlank(s) {
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

// description checks an About paragraph (behaviour: companies#description). s is
// trimmed.
func (f *faults) description(path, s string) {
	if f.required(path, s, maxDescription) && utf8.RuneCountInString(s) < minDescription {
		f.Add(path, "must be at least %d characters", minDescription)
	}
}

// link checks that s is an absolute http or https URL with a host and without
// credentials, which everyone who sees the page would learn (behaviour: companies#website-and-logo).
func (f *faults) link(path, s string) {
	if f.Text(path, s, maxLink) && !isLink(s) {
		f.Add(path, "must be an http or https URL with a host, without credentials")
	}
}

// clearableLink checks as link does. A caller that sends a blank link probably wants
// to remove it, so the fault says how to do that.
func (f *faults) clearableLink(path, s string) {
	if s == "" {
		f.Add(path, "must not be blank; null clears it")
	}
	f.link(path, s)
}

// elsewhere matches what a browser takes as an address of another place, and pages link
// to: a scheme (RFC 3986 §3.1), which may be javascript: or data:, and two slashes, which
// begin a host (§4.2). Browsers read a backslash as a slash (WHATWG URL).
var elsewhere = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2})`)

// social checks an address or a handle (behaviour: companies#socials).
func (f *faults) social(path, s string) {
	if f.Line(path, s, maxLink) && elsewhere.MatchString(s) && !isLink(s) {
		f.Add(path, "must be a handle, a number, or an http or https URL with a host, without credentials")
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

// slugForm leaves a letter or digit at both ends, as in a derived slug: a hyphen alone
// is no name, and one at an end is lost where an address stands in a sentence.
var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// slug checks a slug that an app gave (behaviour: companies#slugs).
func (f *faults) slug(path, s string) {
	if !slugForm.MatchString(s) {
		f.Add(path, "must be 1 to %d lower-case letters, digits and hyphens, with a letter or digit at both ends", maxSlug)
	}
}

// day checks that s is YYYY-MM-DD and exists in the calendar.
func (f *faults) day(path, s string) {
	// A date in the year 0 parses, but the calendar has no such year.
	if t, err := time.Parse(time.DateOnly, s); err != nil || t.Year() == 0 {
		f.Add(path, "must be a date of the calendar, YYYY-MM-DD")
	}
}
