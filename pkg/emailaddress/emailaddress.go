// Package emailaddress validates and normalizes email addresses
// (behaviour: accounts#email-addresses).
//
// Addresses are stored, compared and used with the domain as an A-label (RFC 5890), because
// browsers submit either form. Local parts with non-ASCII characters (RFC 6531) are rejected.
package emailaddress

import (
	"net/mail"
	"regexp"
	"strings"

	"golang.org/x/net/idna"

	"vitae.internal/pkg/fault"
)

// Maximum lengths of an address and of its local part, in bytes (RFC 5321 §4.5.3.1.3).
const (
	maxLength = 254
	maxLocal  = 64
)

var (
	// local and domain match the addresses that a browser accepts in an email field (HTML
	// §4.10.5.1.5), with the domain as an A-label. Local parts that RFC 5322 does not allow are
	// quoted in emails.
	local  = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+$")
	domain = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$`)
)

// Parse trims and normalizes an address for storage, and reports whether it is valid. It preserves
// the case of ASCII letters.
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

// Key returns a form of an address that is the same for all spellings of it: normalized and in
// lower case. It also returns a key for an invalid address.
func Key(typed string) string {
	if address, ok := Parse(typed); ok {
		typed = address
	}
	return strings.ToLower(strings.TrimSpace(typed))
}

// Check returns the normalized address. If the address is invalid, it adds a fault at path.
func Check(faults *fault.List, path, typed string) string {
	address, ok := Parse(typed)
	if !ok {
		faults.Add(path, "must be a valid email address")
	}
	return address
}

// Header returns an address in the form required in the header and envelope of an email. The local
// part is quoted where RFC 5322 §3.4.1 requires it.
func Header(address string) string { return (&mail.Address{Address: address}).String() }

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7e }) < 0
}
