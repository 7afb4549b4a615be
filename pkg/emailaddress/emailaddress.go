// Package emailaddress has the one rule for email addresses
// (behaviour: accounts#email-addresses).
//
// An address is stored, compared and sent to with its domain as A-label (RFC 5890), whatever form was
// typed: browsers send either. Local parts in other letters than ASCII (RFC 6531) are refused.
package emailaddress

import (
	"net/mail"
	"regexp"
	"strings"

	"golang.org/x/net/idna"

	"vitae.internal/pkg/fault"
)

// maxLength is the longest address in bytes (RFC 5321 §4.5.3.1.3), maxLocal the longest local part.
const (
	maxLength = 254
	maxLocal  = 64
)

var (
	// local and domain are those that a browser takes in a field of the type (HTML §4.10.5.1.5), with
	// the domain as A-label. What the local part may hold beyond RFC 5322 is quoted in an email.
	local  = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+$")
	domain = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$`)
)

// Parse returns a typed address as it is stored, without the space around it, and whether it is one. Case
// stays where it was typed in ASCII.
func Parse(typed string) (string, bool) {
	typed = strings.TrimSpace(typed)
	at := strings.LastIndexByte(typed, '@')
	if at < 1 || at > maxLocal || len(typed) > 4*maxLength || !local.MatchString(typed[:at]) {
		return "", false
	}
	host := typed[at+1:]
	if !isASCII(host) {
		var err error
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return "", false
		}
	}
	address := typed[:at] + "@" + host
	return address, domain.MatchString(strings.ToLower(host)) && len(host) <= 253 && len(address) <= maxLength
}

// Key returns the form of an address that is unique among people: in lower case, whatever form it was
// typed in. Text that is no address has one too.
func Key(typed string) string {
	if address, ok := Parse(typed); ok {
		typed = address
	}
	return strings.ToLower(strings.TrimSpace(typed))
}

// Check returns a typed address as it is stored. It adds a fault to one that is none.
func Check(faults *fault.List, path, typed string) string {
	address, ok := Parse(typed)
	if !ok {
		faults.Add(path, "must be a valid email address")
	}
	return address
}

// Header returns an address as the header and the envelope of an email have it, with a quoted local part
// where RFC 5322 §3.4.1 wants one.
func Header(address string) string { return (&mail.Address{Address: address}).String() }

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7e }) < 0
}
