package password

import (
	"bytes"
	"compress/gzip"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCommonPasswordsAreFound(t *testing.T) {
	for _, plain := range []string{"1234567890", "qwertyuiop", "password123", "Password123", "PASSWORD123", "1qaz2wsx3edc", "basketball", "california"} {
		if !IsCommon(plain) {
			t.Errorf("%q is not found", plain)
		}
	}
	for _, plain := range []string{"correct horse battery staple", "demo-password-layla", "demo-password", "", "\n", "password123 ", "كلمة مرور طويلة"} {
		if IsCommon(plain) {
			t.Errorf("%q is rejected", plain)
		}
	}
}

// An entry that is too short would be useless, and an entry with upper-case letters would never match.
func TestEveryListEntryCanMatch(t *testing.T) {
	if len(common()) != 10_000 {
		t.Errorf("%d entries", len(common()))
	}
	for entry := range common() {
		if utf8.RuneCountInString(entry) < 10 || entry != strings.ToLower(entry) || strings.TrimSpace(entry) == "" {
			t.Errorf("%q", entry)
		}
	}
}

func TestDamagedListIsAnError(t *testing.T) {
	for _, raw := range [][]byte{nil, []byte("123456"), packed[:len(packed)/2]} {
		if list, err := unpack(raw); err == nil {
			t.Errorf("%d entries of %d bytes", len(list), len(raw))
		}
	}
}

// With an empty list, every password would be accepted.
func TestUnpackRejectsAnEmptyList(t *testing.T) {
	if list, err := unpack(gzipped(t, "")); err == nil {
		t.Errorf("an empty list is accepted: %v", list)
	}
	for text, want := range map[string][]string{"1234567890\n": {"1234567890"}, "1234567890\nqwertyuiop": {"1234567890", "qwertyuiop"}} {
		list, err := unpack(gzipped(t, text))
		if got := slices.Sorted(maps.Keys(list)); err != nil || !slices.Equal(got, want) {
			t.Errorf("of %q: %q, %v", text, got, err)
		}
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
