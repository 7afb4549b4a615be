package profile

import (
	"slices"
	"strings"
	"time"
)

// HandleKept is how long a former handle stays reserved for its person, so that existing links with the
// handle do not lead to someone else.
const HandleKept = 90 * 24 * time.Hour

// HandlesKept is the maximum number of former handles reserved for one person, so that no one can block an
// unlimited number of handles.
const HandlesKept = 3

// reservedHandles are handles that could be mistaken for the site's operators. They are written without
// dots, dashes and underscores.
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
