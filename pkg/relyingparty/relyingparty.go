// Package relyingparty determines the relying party of passkeys (WebAuthn §5.1.2), which is the host
// name of the website.
//
// Browsers create no passkeys for IP addresses. A website at a loopback address is also reachable as
// localhost, so its passkeys are created for that name. Both the auth service, which verifies
// passkeys, and the gateway, which offers them, use this package, so that they agree.
package relyingparty

import (
	"net"
	"net/netip"
	"net/url"
)

// local is the name of the local machine (RFC 6761 §6.3).
const local = "localhost"

// Party is the relying party of a deployment.
type Party struct {
	// ID is the host name for which passkeys are created.
	ID string
	// Origin is the origin at which browsers may use the passkeys, without a trailing slash or default
	// port.
	Origin string
	// Named reports whether the website's URL contains the host name. It is false for a loopback
	// address.
	Named bool
}

// usualPorts maps schemes to their default ports, which an origin omits (HTML, "serialization of an
// origin").
var usualPorts = map[string]string{"http": "80", "https": "443"}

// Of returns the relying party for the website's URL. It returns false if the host is an IP address
// other than a loopback address, or if the URL is invalid.
func Of(appURL string) (Party, bool) {
	u, err := url.Parse(appURL)
	if err != nil || u.Hostname() == "" {
		return Party{}, false
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	if err == nil && !ip.Unmap().IsLoopback() {
		return Party{}, false
	}
	named := err != nil
	if !named {
		host = local
	}
	p := Party{ID: host, Origin: u.Scheme + "://" + host, Named: named}
	if port := u.Port(); port != "" && port != usualPorts[u.Scheme] {
		p.Origin = u.Scheme + "://" + net.JoinHostPort(host, port)
	}
	return p, true
}

// Serves reports whether a browser that requests host can use passkeys. Behind a proxy, host may
// differ from the host in the browser, so if the website's URL contains a name, Serves always returns
// true.
func (p Party) Serves(host string) bool {
	u, err := url.Parse(p.Origin)
	return p.Named || err == nil && p.ID != "" && u.Host == host
}
