//go:build !nobrowser

package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// poppler runs one of poppler's programs on a PDF and returns its output. The argument FILE is replaced with
// the path of the PDF. The test fails if the program is not installed.
func poppler(t *testing.T, file []byte, program string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cv.pdf")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, a := range args {
		if a == "FILE" {
			args[i] = path
		}
	}
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v (apt-get install poppler-utils): %s", program, err, out)
	}
	return string(out)
}

// pdfText returns the text of a PDF on a single line, in the order in which poppler reads it. It replaces the
// marks that poppler puts around text of the opposite direction with spaces.
func pdfText(t *testing.T, file []byte) string {
	t.Helper()
	return flatten(poppler(t, file, "pdftotext", "FILE", "-"))
}

func flatten(text string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(plain), " ")
}

// wantInOrder checks that text contains the wanted strings in the given order.
func wantInOrder(t *testing.T, text string, want []string) {
	t.Helper()
	rest := text
	for _, w := range want {
		_, after, found := strings.Cut(rest, w)
		if !found {
			if strings.Contains(text, w) {
				t.Errorf("%q comes too early in\n%s", w, text)
			} else {
				t.Errorf("%q is missing in\n%s", w, text)
			}
			return
		}
		rest = after
	}
}

// words splits strings into words without punctuation. In lines with both directions, poppler keeps the order
// of the words, but may move a comma to the other side of a number.
func words(texts ...string) []string {
	var out []string
	for _, w := range strings.Fields(strings.Join(texts, " ")) {
		if w = strings.Trim(w, "،:.·–()"); w != "" {
			out = append(out, w)
		}
	}
	return out
}
