package photo

import (
	"net/netip"
	"testing"
)

func TestOnlyPublicAddressesAreAllowed(t *testing.T) {
	for address, want := range map[string]bool{
		"8.8.8.8": true, "93.184.216.34": true, "2606:4700::6810:85e5": true, "2a00:1450:4001::200e": true,
		"127.0.0.1": false, "127.8.9.10": false, "0.0.0.0": false, "0.1.2.3": false,
		"10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "100.127.255.255": false,
		"192.0.0.1": false, "192.0.2.1": false, "198.18.0.1": false, "198.19.255.255": false, "198.51.100.7": false,
		"168.63.129.16": false, "168.63.129.15": true, "168.63.129.17": true, "100.100.100.200": false, "192.0.0.192": false, "169.254.170.2": false,
		"192.31.196.1": false, "192.52.193.1": false, "192.175.48.6": false, "192.31.197.1": true,
		"2001:4:112::1": false, "2001:20::1": false, "2620:4f:8000::1": false, "2620:4f:8001::1": true, "3ffe::1": false,
		"fd00:ec2::254": false, "fd20:ce::254": false, "100:0:0:1::1": false,
		"203.0.113.9": false, "192.88.99.1": false, "224.0.0.1": false, "239.255.255.250": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:8.8.8.8": false, "::ffff:127.0.0.1": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::808:808": false, "64:ff9b:1::a00:1": false,
		"2002:7f00:1::": false, "2002:a00:1::1": false, "2001:0:4136:e378::1": false, "2001:db8::1": false, "3fff::1": false,
		"fc00::1": false, "fd12:3456::1": false, "fe80::1": false, "fe80::1%eth0": false, "fec0::1": false,
		"ff02::1": false, "100::1": false, "5f00::1": false, "4000::1": false,
	} {
		if got := public(netip.MustParseAddr(address)); got != want {
			t.Errorf("public(%s) = %t, want %t", address, got, want)
		}
	}
}

func TestControlChecksDialedAddress(t *testing.T) {
	f := filter{allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}
	for _, c := range []struct {
		network, address string
		ok               bool
	}{
		{"tcp4", "8.8.8.8:443", true},
		{"tcp6", "[2606:4700::1]:80", true},
		{"tcp4", "10.1.2.3:80", true},
		{"tcp4", "10.2.2.3:80", false},
		{"tcp6", "[::ffff:10.1.2.3]:80", false},
		{"tcp4", "127.0.0.1:80", false},
		{"udp4", "8.8.8.8:53", false},
		{"unix", "/run/x.sock", false},
		{"tcp4", "nonsense", false},
	} {
		if err := f.control(c.network, c.address, nil); (err == nil) != c.ok {
			t.Errorf("control(%s, %s) = %v, want allowed %t", c.network, c.address, err, c.ok)
		}
	}
}

// FuzzPublic checks that no private IPv4 address is accepted in the form of an IPv6 address.
func FuzzPublic(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add(netip.MustParseAddr("64:ff9b::7f00:1").AsSlice())
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, ok := netip.AddrFromSlice(raw)
		if !ok || !public(a) {
			return
		}
		if a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsMulticast() || a.IsUnspecified() || a.Is4In6() {
			t.Errorf("%s counts as public", a)
		}
		if a.Is6() && !globalIPv6.Contains(a) {
			t.Errorf("%s counts as public", a)
		}
	})
}
