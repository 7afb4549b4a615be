package web

import (
	"net/url"
	"strings"
)

// LocalPath checks an address that came from outside and to which the browser is to
// return. It gives the path and the query of an address on this site whose path is
// one that the site allows; with a list of allowed paths there is nothing to get wrong
// about "//host", "/\host" and the like. The query is as it came: encode what a
// header field may not hold before it becomes a Location.
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
