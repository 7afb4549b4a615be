package web

import (
	"net/url"
	"strings"
)

// LocalPath validates a return address from outside. It returns the path and the query if
// the address is local and its path is allowed. The list of allowed paths makes tricks like
// "//host" and "/\host" harmless. The query is not encoded: use location.Printable before
// it becomes a Location.
func LocalPath(address string, allowed func(path string) bool) (path, query string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || u.Fragment != "" {
		return "", "", false
	}
	if !allowed(u.Path) || u.RawPath != "" || !strings.HasPrefix(address, u.Path) {
		return "", "", false
	}
	return u.Path, u.RawQuery, true
}
