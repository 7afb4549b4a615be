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

// PDFText asserts a 200 response with a PDF, and returns the PDF's text.
func PDFText(t testing.TB, a partner.Response) string {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("not a PDF: %s", a)
	}
	return Poppler(t, a.Body, "pdftotext", "-enc", "UTF-8", "FILE", "-")
}

// Poppler runs a Poppler program on a PDF and returns its output. The argument FILE is replaced by the
// PDF's path.
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

// invisible holds direction marks and soft hyphens that occur in text extracted from PDFs.
const invisible = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u00ad"

// Flattened joins the lines of text and removes invisible characters.
func Flattened(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(invisible, r) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// Shows asserts that text contains each of the parts or, if want is false, none of them.
func Shows(t testing.TB, what, text string, want bool, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) != want {
			t.Errorf("%s: contains %q: %v, want %v\n%s", what, part, !want, want, text)
		}
	}
}
