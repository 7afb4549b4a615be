package photo

import (
	"fmt"
	"net/netip"
	"syscall"
)

// globalIPv6 is the block of global unicast addresses. All other IPv6 addresses are rejected,
// including mapped, translated (NAT64) and local addresses (IANA IPv6 Special-Purpose Address
// Registry).
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// special lists the blocks that look global but are not. Most are those blocks in the IANA
// Special-Purpose Address Registries (RFC 6890) that netip and globalIPv6 would accept. Some of
// them are reachable, but no photo is there. The other entries are addresses at which a cloud
// serves its own machines.
var special = prefixes(
	"0.0.0.0/8",       // this network, RFC 791
	"100.64.0.0/10",   // carrier-grade NAT, RFC 6598
	"192.0.0.0/24",    // protocol assignments, RFC 6890
	"192.0.2.0/24",    // documentation, RFC 5737
	"192.31.196.0/24", // AS112, a sink for DNS, RFC 7535
	"192.52.193.0/24", // AMT relays, RFC 7450
	"192.88.99.0/24",  // 6to4 relay anycast, RFC 7526
	"192.175.48.0/24", // AS112 by delegation, RFC 7534
	"198.18.0.0/15",   // benchmarking, RFC 2544
	"198.51.100.0/24", // documentation, RFC 5737
	"203.0.113.0/24",  // documentation, RFC 5737
	"240.0.0.0/4",     // reserved, and limited broadcast, RFC 1112
	// Azure's WireServer, which serves settings to each virtual machine. The metadata addresses of
	// other clouds are link-local, unique-local, or in one of the blocks above.
	"168.63.129.16/32",
	"2001::/23",         // protocol assignments, including Teredo, RFC 2928
	"2001:db8::/32",     // documentation, RFC 3849
	"2002::/16",         // 6to4, which carries an IPv4 address, RFC 3056
	"2620:4f:8000::/48", // AS112 by delegation, RFC 7534
	"3ffe::/16",         // the former 6bone, RFC 3701
	"3fff::/20",         // documentation, RFC 9637
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// public reports whether an address is reachable from anywhere on the internet.
func public(a netip.Addr) bool {
	if a.Zone() != "" || a.Is4In6() {
		return false
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// filter allows connections to public IP addresses and to the blocks that the operator allows.
type filter struct{ allow []netip.Prefix }

// control is a net.Dialer.Control function. It is called with the IP address after DNS resolution,
// so the address cannot change between the check and the connection.
func (f filter) control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("photo: network %s is not allowed", network)
	}
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("photo: address: %w", err)
	}
	if public(ap.Addr()) {
		return nil
	}
	for _, p := range f.allow {
		if p.Contains(ap.Addr()) {
			return nil
		}
	}
	return fmt.Errorf("photo: address %s is not public", ap.Addr())
}
