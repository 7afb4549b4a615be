package format

import (
	"net/mail"
	"strings"
	"unicode"

	"vitae.internal/pkg/fault"
)

// maxEmail is the maximum length of an email address in characters (RFC 5321 §4.5.3.1.3).
const maxEmail = 254

// Required checks that s is not blank and has at most limit characters.
func Required(faults *fault.List, path, s string, limit int) {
	if faults.Text(path, s, limit) && strings.TrimSpace(s) == "" {
		faults.Add(path, "is required")
	}
}

// Name checks that s is a single visible line of at most limit characters
// (behaviour: requests#single-lines).
func Name(faults *fault.List, path, s string, limit int) {
	if faults.Line(path, s, limit) && fault.IsBlank(s) {
		faults.Add(path, "is required")
	}
}

// Email checks that s is an email address without a display name (RFC 5322 addr-spec).
func Email(faults *fault.List, path, s string) {
	if !faults.Text(path, s, maxEmail) {
		return
	}
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
		faults.Add(path, "must be an e-mail address")
	}
}

// Handle checks that s is an identifier of at most limit visible characters without spaces.
func Handle(faults *fault.List, path, s string, limit int) {
	if faults.Text(path, s, limit) && strings.ContainsFunc(s, isInvisible) {
		faults.Add(path, "must hold visible characters only")
	}
}

func isInvisible(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
