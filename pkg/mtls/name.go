package mtls

import (
	"crypto/x509"
	"regexp"
	"strings"
)

// Internal is the name that all internal teams share, and the prefix for individual teams, as in
// "internal/payments".
const Internal = "internal"

// Operators is the name for all operators in contracts, and the prefix for individual operators, as
// in "vitaectl/alice".
const Operators = "vitaectl"

// names matches the names of services, teams and operators.
var names = regexp.MustCompile(`^([a-z][a-z0-9]{0,30}|(` + Internal + `|` + Operators + `)/[a-z][a-z0-9-]{0,30})$`)

// ValidName reports whether s is a valid name for a service, a team or an operator.
func ValidName(s string) bool { return names.MatchString(s) }

// IsTeam reports whether a valid name belongs to an individual team.
func IsTeam(name string) bool { return strings.HasPrefix(name, Internal+"/") }

// IsOperator reports whether a valid name is the shared name of operators or belongs to an
// individual operator.
func IsOperator(name string) bool { return name == Operators || strings.HasPrefix(name, Operators+"/") }

// CallerName returns the name in a certificate: its only DNS name. It returns "" if the certificate
// has no DNS name, several, or an invalid one. The subject, IP addresses, URIs and email addresses
// do not identify a caller, because a certificate authority may not check them.
func CallerName(c *x509.Certificate) string {
	if len(c.DNSNames) != 1 || !ValidName(c.DNSNames[0]) {
		return ""
	}
	return c.DNSNames[0]
}
