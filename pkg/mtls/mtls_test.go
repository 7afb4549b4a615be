package mtls_test

import (
	"os"
	"testing"

	"vitae.internal/pkg/mtls"
)

func TestIssueKeepsWhatIsThere(t *testing.T) {
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
		t.Errorf("the certificate that was added does not load: %v", err)
	}
}

func TestPrivateKeysAreForTheirOwnerOnly(t *testing.T) {
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
