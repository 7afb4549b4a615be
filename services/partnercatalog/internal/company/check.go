package company

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"vitae.internal/pkg/fault"
)

type faults struct{ *fault.List }

func newFaults() *faults { return &faults{fault.Validation()} }

// required checks that s is valid text and not blank.
func (f *faults) required(path, s string, limit int) bool {
	return f.Text(path, s, limit) && f.NotBlank(path, s)
}

// line checks that s is a single line and not blank.
func (f *faults) line(path, s string, limit int) bool {
	return f.Line(path, s, limit) && f.NotBlank(path, s)
}

// trim removes surrounding white space from s. It returns "" if s is blank.
func trim(s string) string {
	if fault.IsBlank(s) {
		return ""
	}
	return strings.TrimSpace(s)
}

func trimmed(s *string) *string {
	if s == nil {
		return nil
	}
	t := trim(*s)
	return &t
}

// description checks a trimmed description (behaviour: companies#description).
func (f *faults) description(path, s string) {
	if f.required(path, s, maxDescription) && utf8.RuneCountInString(s) < minDescription {
		f.Add(path, "must be at least %d characters", minDescription)
	}
}

// link checks that s is an absolute http or https URL with a host. It must not contain credentials,
// because every visitor of the page would see them (behaviour: companies#website-and-logo).
func (f *faults) link(path, s string) {
	if f.Text(path, s, maxLink) && !fault.IsLink(s) {
		f.Add(path, "must be an http or https URL with a host, without credentials")
	}
}

// clearableLink checks a link. A caller that sends an empty link probably wants to remove it, so
// the error message explains how to do that.
func (f *faults) clearableLink(path, s string) {
	if s == "" {
		f.Add(path, "must not be blank; null clears it")
	}
	f.link(path, s)
}

// absolute matches strings that a browser resolves to a different site or executes: a scheme
// (RFC 3986 §3.1), which may be javascript: or data:, or two slashes (§4.2). Browsers treat a
// backslash as a slash (WHATWG URL).
var absolute = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*:|[/\\]{2})`)

// social checks a link or a handle (behaviour: companies#socials).
func (f *faults) social(path, s string) {
	if f.Line(path, s, maxLink) && absolute.MatchString(s) && !fault.IsLink(s) {
		f.Add(path, "must be a handle, a number, or an http or https URL with a host, without credentials")
	}
}

// slugForm matches valid slugs. Like derived slugs, they have a letter or digit at both ends.
// Otherwise, a slug could be a single hyphen, or lose its last character where a URL is detected in
// running text.
var slugForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$`)

// slug checks a slug chosen by an app (behaviour: companies#slugs).
func (f *faults) slug(path, s string) {
	if !slugForm.MatchString(s) {
		f.Add(path, "must be 1 to %d lower-case letters, digits and hyphens, with a letter or digit at both ends", maxSlug)
	}
}

func (f *faults) day(path, s string) {
	// time.Parse accepts the year 0, which the calendar does not have.
	if t, err := time.Parse(time.DateOnly, s); err != nil || t.Year() == 0 {
		f.Add(path, "must be a date of the calendar, YYYY-MM-DD")
	}
}
