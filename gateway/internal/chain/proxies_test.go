package chain

import (
	"net/http"
	"testing"
)

func TestOnlyTrustedProxiesSetClientIP(t *testing.T) {
	for _, c := range []struct {
		trusted, peer string
		forwarded     []string
		want          string
	}{
		{"", "192.0.2.1:1234", []string{"203.0.113.9"}, "192.0.2.1"},
		{"10.0.0.0/8", "192.0.2.1:1234", []string{"203.0.113.9"}, "192.0.2.1"},
		{"10.0.0.0/8", "10.1.2.3:1234", nil, "10.1.2.3"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"198.51.100.7, 203.0.113.9, 10.9.9.9"}, "203.0.113.9"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"198.51.100.7", "203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"203.0.113.9, nonsense"}, "10.1.2.3"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"10.4.4.4"}, "10.4.4.4"},
		{"10.0.0.0/8, ::1", "[::1]:1234", []string{"2001:db8::1%eth0"}, "2001:db8::1"},
		{"127.0.0.1", "[::ffff:127.0.0.1]:1234", []string{"203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"198.51.100.7:80, 203.0.113.9:4711"}, "203.0.113.9"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"[2001:db8::1]:443"}, "2001:db8::1"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"[2001:db8::1"}, "10.1.2.3"},
		{"10.0.0.0/8", "10.1.2.3:1234", []string{"203.0.113.9, ,", ""}, "203.0.113.9"},
		{"", "@", nil, ""},
	} {
		var p Proxies
		if err := p.UnmarshalText([]byte(c.trusted)); err != nil {
			t.Fatal(err)
		}
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{"X-Forwarded-For": c.forwarded}}
		if got := p.clientIP(r); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
	var p Proxies
	if err := p.UnmarshalText([]byte("10.0.0.0/8,example")); err == nil {
		t.Error("UnmarshalText accepted a host name")
	}
}

func TestIPv6NetworkIsOneClient(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "2001:db8:1:2:3::4": "2001:db8:1:2::/64", "2001:db8:1:2:ffff::1": "2001:db8:1:2::/64", "2001:db8:1:3::1": "2001:db8:1:3::/64", "x": "x",
	} {
		if got := Network(address); got != want {
			t.Errorf("%s counts as %s, want %s", address, got, want)
		}
	}
}
