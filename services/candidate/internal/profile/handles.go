package profile

import (
	"slices"
	"strings"
	"time"
)

// HandleKept is how long a former handle is reserved for its person, because others have links
// with it.
const HandleKept = 90 * 24 * time.Hour

// HandlesKept is how many former handles are reserved for one person, so that nobody can block
// any number of handles.
const HandlesKept = 3

// reservedHandles are handles that look like those of the site's operators, without dots, dashes
// and underscores.
var reservedHandles = []string{
	"abuse", "account", "accounts", "admin", "administrator", "api", "billing", "contact", "docs", "help", "helpdesk", "hostmaster", "info",
	"legal", "login", "mail", "me", "moderator", "noreply", "official", "operator", "postmaster", "press", "privacy", "root", "security", "signin", "signup",
	"staff", "status", "support", "sysadmin", "system", "team", "trust", "vitae", "vitaeconsole", "vitaesupport", "vitaeteam", "webmaster", "www",
}

// IsReservedHandle reports whether a handle is reserved (behaviour: profiles#handles).
func IsReservedHandle(handle string) bool {
	bare := strings.NewReplacer(".", "", "-", "", "_", "").Replace(strings.ToLower(handle))
	return slices.Contains(reservedHandles, bare)
}
