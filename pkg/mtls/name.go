package mtls

import (
	"crypto/x509"
	"regexp"
	"strings"
)

// Internal is the name that all internal teams share, and the prefix of individual teams:
// "internal/payments".
const Internal = "internal"

// Operators is the name that contracts use for operators, and the prefix of individual operators:
// "vitaectl/alice".
const Operators = "vitaectl"

// names matches the names of services, teams and operators.
var names = regexp.MustCompile(`^([a-z][a-z0-9]{0,30}|(` + Internal + `|` + Operators + `)/[a-z][a-z0-9-]{0,30})$`)

// ValidName reports whether s can be the name of a service, team or operator.
func ValidName(s string) bool { return names.MatchString(s) }

// IsTeam reports whether a valid name is that of an individual team.
func IsTeam(name string) bool { return strings.HasPrefix(name, Internal+"/") }

// IsOperator reports whether a valid name is that of operators, shared or individual.
func IsOperator(name string) bool { return name == Operators || strings.HasPrefix(name, Operators+"/") }

// CallerName returns the name in a certificate of the deployment: its only DNS name. It is empty if
// there is none, if there are several, or if it is not a valid name. Nothing else in a certificate
// identifies a caller (subject, IP address, URI, email address), because an authority may not check
// those.
func CallerName(c *x509.Certificate) string {
	if len(c.DNSNames) != 1 || !ValidName(c.DNSNames[0]) {
		return ""
	}
	return c.DNSNames[0]
}
