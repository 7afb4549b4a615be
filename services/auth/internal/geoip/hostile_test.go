package geoip

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If both branches of every node lead to the same next node, the tree has 2^128 paths.
func TestSearchOfAnEndlessTreeIsLimited(t *testing.T) {
	const nodes = 128
	var b bytes.Buffer
	for next := byte(1); next <= nodes; next++ {
		b.Write([]byte{0, 0, next, 0, 0, next})
	}
	b.Write(make([]byte, 16))                      // separates the tree from its data
	b.Write([]byte("\x40\xab\xcd\xefMaxMind.com")) // some data, then the metadata marker
	text := func(s string) { b.WriteByte(2<<5 | byte(len(s))); b.WriteString(s) }
	b.WriteByte(7<<5 | 9) // a map with nine entries
	for key, n := range map[string]byte{"binary_format_major_version": 2, "binary_format_minor_version": 0, "ip_version": 6, "record_size": 24} {
		text(key)
		b.Write([]byte{5<<5 | 1, n})
	}
	text("node_count")
	b.Write([]byte{6<<5 | 1, nodes})
	text("build_epoch")
	b.Write([]byte{1, 2, 1})
	text("database_type")
	text("Countries")
	text("languages")
	b.Write([]byte{0, 4})
	text("description")
	b.WriteByte(7 << 5)
	path := filepath.Join(t.TempDir(), "hostile.mmdb")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "no countries") {
		t.Errorf("%v", err)
	}
}

func TestDirectoryIsNotRead(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "it is not a regular file") {
		t.Errorf("%v", err)
	}
}
