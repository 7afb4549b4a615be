package cmd

import (
	"os"
	"strings"
	"testing"

	"vitae.internal/pkg/mtls"
)

func TestOperatorAddCreatesCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	add := func(name string) (int, string, string) {
		return vitaectl(nil, "", "operator", "add", name, "--dir", dir)
	}
	if status, _, stderr := add("alice"); status != exitFailed || !strings.Contains(stderr, "vitaectl/alice") {
		t.Errorf("without an authority: status %d, %s", status, stderr)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("files were created without an authority: %v, %v", entries, err)
	}
	if err := mtls.Issue(dir, "auth"); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := add("alice")
	if status != exitOK || !strings.Contains(stdout, "VITAE_TLS_CERT="+mtls.Files(dir, "vitaectl/alice").CertFile) {
		t.Fatalf("status %d, %s %s", status, stdout, stderr)
	}
	if _, err := mtls.Load(mtls.Files(dir, "vitaectl/alice")); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"Alice", "a/b", "../x"} {
		if status, _, _ := add(name); status != exitUsage {
			t.Errorf("%q: status %d", name, status)
		}
	}
}
