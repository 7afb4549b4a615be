package telemetry_test

import (
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/telemetry"
)

// exported returns what the default registry exports about one kind of certificate: the number of
// certificates for each name, and the latest expiry time.
func exported(t *testing.T, kind string) (names map[string]int, last time.Time) {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	names = map[string]int{}
	for _, f := range families {
		if f.GetName() != "vitae_certificate_expiry_timestamp_seconds" {
			continue
		}
		for _, m := range f.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if labels["kind"] == kind {
				names[labels["name"]]++
				if at := time.Unix(int64(m.GetGauge().GetValue()), 0); at.After(last) {
					last = at
				}
			}
		}
	}
	return names, last
}

// identity loads an identity that rereads its files at every use.
func identity(t *testing.T, files mtls.Config) *mtls.Identity {
	t.Helper()
	files.Refresh = time.Nanosecond
	loaded, err := mtls.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// copyFiles writes the concatenated contents of the files in from to the file to.
func copyFiles(t *testing.T, to string, from ...string) {
	t.Helper()
	var all []byte
	for _, file := range from {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	if err := os.WriteFile(to, all, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestExpiryMetricReflectsCurrentFiles(t *testing.T) {
	dir, renewed := t.TempDir(), t.TempDir()
	for _, d := range []string{dir, renewed} {
		if err := mtls.Issue(d, "auth", "gateway"); err != nil {
			t.Fatal(err)
		}
	}
	parts := []string{"auth", "gateway"} // in one process, with one authority
	for _, name := range parts {
		telemetry.ExposeExpiry(identity(t, mtls.Files(dir, name)))
	}
	const authority = "Vitae internal authority"
	own, ends := exported(t, "own")
	if !slices.Equal(slices.Sorted(maps.Keys(own)), parts) || time.Until(ends) < 4*365*24*time.Hour {
		t.Errorf("own certificates %v until %v", own, ends)
	}
	if authorities, _ := exported(t, "authority"); len(authorities) != 1 || authorities[authority] != 1 {
		t.Errorf("authorities %v, want one", authorities)
	}

	ca := dir + "/ca.pem"
	copyFiles(t, ca, ca, renewed+"/ca.pem")
	if authorities, _ := exported(t, "authority"); authorities[authority] != 2 {
		t.Errorf("authorities %v, want both", authorities)
	}
	for _, name := range parts {
		from, to := mtls.Files(renewed, name), mtls.Files(dir, name)
		copyFiles(t, to.KeyFile, from.KeyFile)
		copyFiles(t, to.CertFile, from.CertFile)
	}
	copyFiles(t, ca, renewed+"/ca.pem")
	if authorities, _ := exported(t, "authority"); authorities[authority] != 1 {
		t.Errorf("authorities %v after the first was removed", authorities)
	}
	if names, after := exported(t, "own"); len(names) != 2 || names["auth"] != 1 || after.Before(ends) {
		t.Errorf("own certificates %v expire at %v; before the renewal, they expired at %v", names, after, ends)
	}

	// An unusable file must not change the metric.
	copyFiles(t, ca)
	if authorities, _ := exported(t, "authority"); authorities[authority] != 1 {
		t.Errorf("authorities %v with an empty file", authorities)
	}
}
