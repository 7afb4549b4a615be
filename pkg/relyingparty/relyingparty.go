// Package relyingparty determines the relying party of passkeys (WebAuthn §5.1.2): the host name of
// the pages.
//
// Browsers create no passkeys for IP addresses. Pages at a loopback address are also reachable at
// localhost, so passkeys are for that name there. auth verifies passkeys with it, and the gateway
// offers them with it, so that both agree.
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
	// ID is the host name of the passkeys.
	ID string
	// Origin is where browsers may use them, without a trailing slash or default port.
	Origin string
	// Named is true if the URL of the pages contains the name, and false for a loopback address.
	Named bool
}

// usualPorts are the default ports, which an origin omits (HTML, "serialization of an origin").
var usualPorts = map[string]string{"http": "80", "https": "443"}

// Of returns the relying party for the URL of the pages. It returns false for an IP address of another
// machine and for an invalid URL.
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

// Serves reports whether a browser that requests the host can use passkeys. Behind a proxy, the
// host may differ from the one in the browser, so if the URL has a name, the result is always true.
func (p Party) Serves(host string) bool {
	u, err := url.Parse(p.Origin)
	return p.Named || err == nil && p.ID != "" && u.Host == host
}
