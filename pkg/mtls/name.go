package mtls

import (
	"crypto/x509"
	"regexp"
	"strings"
)

// Internal is the name that internal teams share, and the prefix of a team's own:
// "internal/payments".
const Internal = "internal"

// Operators is the name by which contracts list operators, and the prefix of an operator's own:
// "vitaectl/alice".
const Operators = "vitaectl"

// names are those of the parts, of teams and of operators.
var names = regexp.MustCompile(`^([a-z][a-z0-9]{0,30}|(` + Internal + `|` + Operators + `)/[a-z][a-z0-9-]{0,30})$`)

// ValidName reports whether s can name a part, a team or an operator.
func ValidName(s string) bool { return names.MatchString(s) }

// IsTeam reports whether a valid name is a team's own.
func IsTeam(name string) bool { return strings.HasPrefix(name, Internal+"/") }

// IsOperator reports whether a valid name is that of an operator, own or shared.
func IsOperator(name string) bool { return name == Operators || strings.HasPrefix(name, Operators+"/") }

// CallerName is the name of whoever holds a certificate of the deployment: its one DNS
// name. It is empty if the certificate has none, several, or one that can be no name.
// Nothing else in a certificate names a caller, neither its subject nor an address, URI or
// email address: an authority may fill these in without a check.
func CallerName(c *x509.Certificate) string {
	if len(c.DNSNames) != 1 || !ValidName(c.DNSNames[0]) {
		return ""
	}
	return c.DNSNames[0]
}
