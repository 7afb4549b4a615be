package mtls_test

import (
	"os"
	"testing"

	"vitae.internal/pkg/mtls"
)

func TestIssueKeepsExistingFiles(t *testing.T) {
	dir := t.TempDir()
	if err := mtls.Issue(dir, "auth"); err != nil {
		t.Fatal(err)
	}
	before := readAll(t, dir, "auth")
	if err := mtls.Issue(dir, "auth", "gateway"); err != nil {
		t.Fatal(err)
	}
	if readAll(t, dir, "auth") != before {
		t.Error("a second Issue replaced a certificate")
	}
	if _, err := mtls.Load(mtls.Files(dir, "gateway")); err != nil {
		t.Errorf("the added certificate does not load: %v", err)
	}
}

func TestPrivateKeysHaveMode0600(t *testing.T) {
	dir := t.TempDir()
	if err := mtls.Issue(dir, "auth"); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{mtls.Files(dir, "auth").KeyFile, dir + "/ca-key.pem"} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", file, info.Mode())
		}
	}
}

func TestTeamsAndOperatorsHaveOwnFiles(t *testing.T) {
	dir := t.TempDir()
	teams := []string{"internal/payments", "internal/payments-key", "vitaectl/payments", "vitaectl/a/b", "internal/payments.key", "internal/a/b", "internal/", "INTERNAL/x", "a b", ""}
	for i, name := range teams {
		if err := mtls.Issue(dir, name); (err == nil) != (i < 3) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range teams[:3] { // none has overwritten the files of another
		identity, err := mtls.Load(mtls.Files(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := mtls.Issue(dir, "auth"); err != nil {
			t.Fatal(err)
		}
		seen, err := connect(t, identity, load(t, dir, "auth"))
		if err != nil {
			t.Fatal(err)
		}
		if got := mtls.CallerName(seen.client.State.VerifiedChains[0][0]); got != name {
			t.Errorf("%s has the caller name %q", name, got)
		}
	}
}

func readAll(t *testing.T, dir, name string) string {
	t.Helper()
	f := mtls.Files(dir, name)
	var all string
	for _, file := range []string{f.CAFile, f.CertFile, f.KeyFile} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all += string(b)
	}
	return all
}
