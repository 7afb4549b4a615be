package mtls

import (
	"crypto/x509"
	"regexp"
	"strings"
)

// Internal is the name that internal teams share, and the prefix of a team's own:
// "internal/payments".
const Internal = "internal"

// names are those of the parts, and those of teams.
var names = regexp.MustCompile(`^([a-z][a-z0-9]{0,30}|` + Internal + `/[a-z][a-z0-9-]{0,30})$`)

// ValidName reports whether s can name a part or a team.
func ValidName(s string) bool { return names.MatchString(s) }

// IsTeam reports whether a valid name is a team's own.
func IsTeam(name string) bool { return strings.HasPrefix(name, Internal+"/") }

// CallerName is the name of whoever holds a certificate of the deployment: its one DNS
// name. It is empty if the certificate has none, several, or one that can be no name.
// Nothing else in a certificate names a caller, neither its subject nor an address, URI or
// e-mail address: an authority may fill these in without a check.
func CallerName(c *x509.Certificate) string {
	if len(c.DNSNames) != 1 || !ValidName(c.DNSNames[0]) {
		return ""
	}
	return c.DNSNames[0]
}
