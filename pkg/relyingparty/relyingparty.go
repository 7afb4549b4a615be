// Package relyingparty says for which name passkeys are made (WebAuthn §5.1.2): for the host
// name of the pages.
//
// Browsers make no passkey for an IP address. Pages at an address of this machine alone are
// reached at localhost too, so passkeys are for that name there. auth judges passkeys by it,
// and the gateway offers them by it, so that both come to the same.
package relyingparty

import (
	"net"
	"net/netip"
	"net/url"
)

// local is the name of this machine (RFC 6761 §6.3).
const local = "localhost"

// Party is the relying party of a deployment.
type Party struct {
	// ID is the host name for which passkeys are made.
	ID string
	// Origin is where browsers may use them, without a trailing slash and a usual port.
	Origin string
	// Named is true if the address of the pages has the name itself, and false for pages at an
	// address of this machine.
	Named bool
}

// usualPorts are those that browsers leave out of an origin (HTML, "serialization of an
// origin").
var usualPorts = map[string]string{"http": "80", "https": "443"}

// Of gives the relying party of the pages at an address; false where the address is that of
// another machine without a name, or is none.
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

// Serves reports whether a browser that names the host in its request can use passkeys. Behind
// a proxy the host of a request need not be the one that the browser knows, so where the
// address has a name every browser is taken to be there.
func (p Party) Serves(host string) bool {
	u, err := url.Parse(p.Origin)
	return p.Named || err == nil && p.ID != "" && u.Host == host
}
