package chain

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Proxies lists the networks whose X-Forwarded-For is trusted (behaviour: requests#headers-from-outside). By
// default there are none.
type Proxies []netip.Prefix

// UnmarshalText parses a comma-separated list of CIDR blocks or IP addresses.
func (p *Proxies) UnmarshalText(text []byte) error {
	*p = nil
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			addr, addrErr := netip.ParseAddr(part)
			if addrErr != nil {
				return fmt.Errorf("%q is neither a network nor an address", part)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

// Trusts reports whether a is the IP address of a trusted proxy.
func (p Proxies) Trusts(a netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(a) {
			return true
		}
	}
	return false
}

// clientIP returns the last IP address in X-Forwarded-For that is not a trusted proxy. The client may have
// forged all addresses before it.
func (p Proxies) clientIP(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	client := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.Trusts(client); i-- {
		text := strings.TrimSpace(hops[i])
		if text == "" {
			continue // lists may have empty elements (RFC 9110 §5.6.1.2)
		}
		hop, err := parseHop(text)
		if err != nil {
			break
		}
		client = hop.Unmap().WithZone("")
	}
	return client.String()
}

// parseHop parses one IP address. Some proxies add the client's port, and brackets around an IPv6 address.
func parseHop(text string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr(), nil
	}
	if inner, opened := strings.CutPrefix(text, "["); opened {
		if bare, closed := strings.CutSuffix(inner, "]"); closed {
			text = bare
		}
	}
	return netip.ParseAddr(text)
}

// Network returns the part of an IP address that counts as one client. This is an IPv4 address or an IPv6 /64
// network, because a host can choose any address in its /64.
func Network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || a.Is4() {
		return address
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}
