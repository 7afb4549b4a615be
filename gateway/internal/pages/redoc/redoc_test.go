package redoc

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"testing"
)

func TestTheRendererIsTheOneThatTheScriptMade(t *testing.T) {
	sums, err := os.ReadFile("SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(Packed)
	if want, _, _ := strings.Cut(string(sums), " "); hex.EncodeToString(sum[:]) != want {
		t.Errorf("the bundle's SHA-256 is %x, want %s: run tools/redoc.sh", sum, want)
	}
}

func TestTheRendererEvaluatesNoTextAndNamesNoLogoElsewhere(t *testing.T) {
	unpacked, err := gzip.NewReader(bytes.NewReader(Packed))
	if err != nil {
		t.Fatal(err)
	}
	script, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	for _, forbidden := range []string{"new Function(", "logo-mini"} {
		if bytes.Contains(script, []byte(forbidden)) {
			t.Errorf("the bundle has %q", forbidden)
		}
	}
}
