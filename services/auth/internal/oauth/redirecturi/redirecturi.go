package redirecturi

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxLen is the maximum length of a redirect URI, in bytes.
const maxLen = 2048

// loopbackHosts are the hosts for which http is permitted, as written in a URI.
var loopbackHosts = []string{"127.0.0.1", "[::1]", "localhost"}

// Validate returns an error that explains why a redirect URI cannot be registered, or nil if it
// can. It accepts https with a host, http with a loopback host, and a private-use scheme with a dot
// (RFC 8252 §7.1), without a fragment or user information.
func Validate(uri string) error {
	switch {
	case uri == "":
		return errors.New("is empty")
	case len(uri) > maxLen:
		return errors.New("is longer than 2048 bytes")
	case strings.ContainsFunc(uri, forbidden):
		return errors.New("contains a character that is not allowed in a URI")
	case strings.Contains(uri, "#"):
		return errors.New("has a fragment")
	}
	u, err := url.Parse(uri)
	if err != nil || u.Scheme == "" {
		return errors.New("is not an absolute URI")
	}
	if u.User != nil {
		return errors.New("contains user information")
	}
	return validateScheme(uri, u)
}

func validateScheme(uri string, u *url.URL) error {
	switch {
	case u.Scheme == "https" || u.Scheme == "http":
		if !strings.HasPrefix(uri, u.Scheme+"://") {
			return errors.New("has no host, or its scheme is not in lower case")
		}
		if u.Hostname() == "" || strings.HasSuffix(u.Host, ":") || !validPort(u.Port()) {
			return errors.New("has no host, or an invalid port")
		}
		if strings.Contains(u.Host, "%") || strings.Contains(u.Host, "*") {
			return errors.New("has a host that is not exact")
		}
		if u.Scheme == "http" && !slices.Contains(loopbackHosts, strings.TrimSuffix(u.Host, ":"+u.Port())) {
			return errors.New("uses http on a host that is not loopback")
		}
		return nil
	case strings.Contains(u.Scheme, "."):
		if len(uri) == len(u.Scheme)+1 {
			return errors.New("has nothing after its scheme")
		}
		return nil
	default:
		return errors.New("uses a scheme other than https, http on loopback, or a private one with a dot")
	}
}

// Matches reports whether the URIs are equal character by character, with one exception: if the registered URI is an
// http loopback URI without a port, the presented URI may add a port (RFC 8252 §7.3).
func Matches(registered, presented string) bool {
	if registered == presented {
		return true
	}
	for _, host := range loopbackHosts {
		origin := "http://" + host
		tail, ok := strings.CutPrefix(registered, origin)
		if !ok || (tail != "" && tail[0] != '/' && tail[0] != '?') {
			continue
		}
		rest, ok := strings.CutPrefix(presented, origin+":")
		if !ok {
			return false
		}
		port, ok := strings.CutSuffix(rest, tail)
		return ok && port != "" && validPort(port)
	}
	return false
}

// MatchesAny reports whether presented matches one of the registered URIs.
func MatchesAny(registered []string, presented string) bool {
	return slices.ContainsFunc(registered, func(r string) bool { return Matches(r, presented) })
}

// validPort reports whether port is empty or is a port number without leading zeros.
func validPort(port string) bool {
	if port == "" {
		return true
	}
	if port[0] < '1' || port[0] > '9' {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// forbidden reports whether a URI cannot contain the character r (RFC 3986 §2). Browsers and servers interpret some
// of these characters differently.
func forbidden(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r)
}
