package relyingparty_test

import (
	"testing"

	"vitae.internal/pkg/relyingparty"
)

func TestOfReturnsWebsiteHost(t *testing.T) {
	for address, want := range map[string]relyingparty.Party{
		"https://vitae.example":      {ID: "vitae.example", Origin: "https://vitae.example", Named: true},
		"https://vitae.example:8443": {ID: "vitae.example", Origin: "https://vitae.example:8443", Named: true},
		"http://localhost:8081":      {ID: "localhost", Origin: "http://localhost:8081", Named: true},
		"http://127.0.0.1:8081":      {ID: "localhost", Origin: "http://localhost:8081"},
		"http://[::1]:8081":          {ID: "localhost", Origin: "http://localhost:8081"},
		"http://127.0.0.1":           {ID: "localhost", Origin: "http://localhost"},
		"https://vitae.example:443":  {ID: "vitae.example", Origin: "https://vitae.example", Named: true},
		"http://[::1]:80":            {ID: "localhost", Origin: "http://localhost"},
		"https://192.0.2.7":          {},
		"https://[2001:db8::1]:8081": {},
		"":                           {},
		"://":                        {},
	} {
		got, ok := relyingparty.Of(address)
		if got != want || ok != (want.ID != "") {
			t.Errorf("Of(%s) = %+v, %t", address, got, ok)
		}
	}
}

func TestServesRequiresPartyHost(t *testing.T) {
	for address, hosts := range map[string]map[string]bool{
		"http://127.0.0.1:8081": {"localhost:8081": true, "127.0.0.1:8081": false, "localhost": false},
		"https://vitae.example": {"vitae.example": true, "gateway:8081": true},
		"https://192.0.2.7":     {"192.0.2.7": false, "localhost": false, "": false},
	} {
		party, _ := relyingparty.Of(address)
		for host, want := range hosts {
			if party.Serves(host) != want {
				t.Errorf("%s: Serves(%q) = %t", address, host, !want)
			}
		}
	}
}
