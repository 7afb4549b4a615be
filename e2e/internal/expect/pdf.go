package expect

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// PDFText asserts a 200 with a PDF and returns the text of the PDF.
func PDFText(t testing.TB, a partner.Answer) string {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("no PDF: %s", a)
	}
	return Poppler(t, a.Body, "pdftotext", "-enc", "UTF-8", "FILE", "-")
}

// Poppler runs a program of Poppler on a PDF and returns what it prints. The
// argument FILE stands for the PDF's file.
func Poppler(t testing.TB, pdf []byte, program string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cv.pdf")
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, a := range args {
		if a == "FILE" {
			args[i] = file
		}
	}
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// invisible are the direction marks and soft hyphens of a PDF's text.
const invisible = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u00ad"

// Flattened joins the lines of a text and removes what is invisible in it.
func Flattened(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(invisible, r) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// Shows asserts that a text contains each of the parts, or none of them if want is
// false.
func Shows(t testing.TB, what, text string, want bool, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) != want {
			t.Errorf("%s: shows %q: %v, want %v\n%s", what, part, !want, want, text)
		}
	}
}
