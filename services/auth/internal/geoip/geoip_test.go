package geoip

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/testkit/addressfile"
)

var networks = map[string]string{"203.0.113.0/24": "SA", "198.51.100.0/24": "DE", "2001:db8:7::/48": "AE", "192.0.2.0/24": "not a code"}

func open(t *testing.T, path string) *Database {
	t.Helper()
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCountryComesFromTheNetwork(t *testing.T) {
	d := open(t, addressfile.Write(t, networks))
	if !d.On() {
		t.Error("the database has a file but reports that it is off")
	}
	for address, want := range map[string]string{
		"203.0.113.7": "SA", "198.51.100.255": "DE", "::ffff:203.0.113.7": "SA", "2001:db8:7::1": "AE", "2001:db8:7::1%eth0": "AE",
		"2001:db8:8::1": "", "192.0.2.1": "", "127.0.0.1": "", "": "", "example.com": "", "203.0.113.7:80": "",
	} {
		if got := d.Country(address); got != want {
			t.Errorf("%q is in %q, want %q", address, got, want)
		}
	}
}

func TestCountryIsEmptyWithoutFile(t *testing.T) {
	for _, d := range []*Database{open(t, ""), {}} {
		if d.On() || d.Country("203.0.113.7") != "" {
			t.Error("a database without a file returned a country")
		}
		if err := d.refresh(); err != nil {
			t.Error(err)
		}
	}
}

func TestUnusableFileErrorNamesThePath(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.mmdb")
	if err := os.WriteFile(broken, []byte("not a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(addressfile.Write(t, networks))
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "half.mmdb")
	if err := os.WriteFile(half, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		filepath.Join(t.TempDir(), "missing.mmdb"): "no such file", broken: "invalid MaxMind DB", half: "",
		addressfile.Write(t, map[string]string{"203.0.113.0/24": ""}): "it contains no countries (country.iso_code)",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error with the path and %q", path, err, says)
		}
	}
}

func TestNewerFileIsLoadedUnlessBroken(t *testing.T) {
	path := addressfile.Write(t, networks)
	d := open(t, path)
	replace := func(by string, modified time.Time) error {
		t.Helper()
		raw, err := os.ReadFile(by)
		if err == nil {
			err = os.WriteFile(path, raw, 0o600)
		}
		if err == nil {
			err = os.Chtimes(path, modified, modified)
		}
		if err != nil {
			t.Fatal(err)
		}
		return d.refresh()
	}
	later := time.Now().Add(time.Hour)
	if err := replace(addressfile.Write(t, map[string]string{"203.0.113.0/24": "OM"}), later); err != nil || d.Country("203.0.113.7") != "OM" {
		t.Errorf("after a newer file: %q, %v", d.Country("203.0.113.7"), err)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replace(broken, later.Add(time.Hour)); err == nil || d.Country("203.0.113.7") != "OM" {
		t.Errorf("after a broken file: %q, %v", d.Country("203.0.113.7"), err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := d.refresh(); err == nil || d.Country("203.0.113.7") != "OM" {
		t.Errorf("without the file: %q, %v", d.Country("203.0.113.7"), err)
	}
}
