package profile

import (
	"slices"
	"strings"
	"time"
)

// HandleKept is how long nobody else gets the handle that a person has given up: partners and readers keep
// addresses with it.
const HandleKept = 90 * 24 * time.Hour

// HandlesKept is how many handles that one person has given up are kept, the last ones: otherwise a person
// could keep any number of handles from all others.
const HandlesKept = 3

// reservedHandles are handles that readers would mistake for the operators of the site, without dots, dashes and
// underscores.
var reservedHandles = []string{
	"abuse", "account", "accounts", "admin", "administrator", "api", "billing", "contact", "docs", "help", "helpdesk", "hostmaster", "info",
	"legal", "login", "mail", "me", "moderator", "noreply", "official", "operator", "postmaster", "press", "privacy", "root", "security", "signin", "signup",
	"staff", "status", "support", "sysadmin", "system", "team", "trust", "vitae", "vitaeconsole", "vitaesupport", "vitaeteam", "webmaster", "www",
}

// IsReservedHandle reports whether nobody gets a handle (behaviour: profiles#handles).
func IsReservedHandle(handle string) bool {
	bare := strings.NewReplacer(".", "", "-", "", "_", "").Replace(strings.ToLower(handle))
	return slices.Contains(reservedHandles, bare)
}
