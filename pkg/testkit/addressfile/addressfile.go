// Package addressfile creates small geolocation databases for tests, because the licenses of real
// databases do not allow them to be shipped with the source code.
package addressfile

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
)

// Write writes a database in the MaxMind DB format that maps networks (CIDR) to countries, and
// returns its path. For a network with an empty country, it writes a record without a country.
// Reserved networks, such as the documentation and loopback networks, are allowed.
func Write(t testing.TB, networks map[string]string) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-Country", IncludeReservedNetworks: true})
	if err != nil {
		t.Fatal(err)
	}
	for network, country := range networks {
		_, of, err := net.ParseCIDR(network)
		if err != nil {
			t.Fatal(err)
		}
		record := mmdbtype.Map{"country": mmdbtype.Map{}}
		if country != "" {
			record["country"] = mmdbtype.Map{"iso_code": mmdbtype.String(country)}
		}
		if err := tree.Insert(of, record); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "countries.mmdb")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
