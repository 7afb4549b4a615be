package pdftest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
)

// Reader returns the text of each PDF at the given paths.
type Reader func(ctx context.Context, files []string) ([]string, error)

// Readers maps the names of programs to their readers.
var Readers = map[string]Reader{
	"poppler (pdftotext)": each(poppler),
	"MuPDF":               node("mupdf"),
	"pdf.js":              node("pdfjs"),
	"Go (ledongthuc/pdf)": each(goReader),
}

// each returns a Reader that calls read for each file.
func each(read func(ctx context.Context, file string) (string, error)) Reader {
	return func(ctx context.Context, files []string) ([]string, error) {
		texts := make([]string, len(files))
		for i, file := range files {
			var err error
			if texts[i], err = read(ctx, file); err != nil {
				return nil, err
			}
		}
		return texts, nil
	}
}

// poppler returns the text that pdftotext extracts.
func poppler(ctx context.Context, file string) (string, error) {
	text, err := run(ctx, "pdftotext", file, "-")
	if err != nil {
		return "", err
	}
	return embedded.ReplaceAllStringFunc(text, unembed), nil
}

// embedded matches what pdftotext writes between the marks LRE and PDF (UAX 9, 2.1), which is a part of a
// right-to-left line that it leaves in visual order.
var embedded = regexp.MustCompile("\u202a[^\u202c]*\u202c")

// unembed returns such a part in reading order. Anything to the left of its first letter, digit or direction
// mark is moved to its end.
func unembed(part string) string {
	inner := strings.Trim(part, "\u202a\u202c")
	isCore := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\u200e' || r == '\u200f' }
	start, end := strings.IndexFunc(inner, isCore), strings.LastIndexFunc(inner, isCore)
	if start < 0 {
		return reversed(inner)
	}
	_, size := utf8.DecodeRuneInString(inner[end:])
	end += size
	return reversed(inner[end:]) + inner[start:end] + reversed(inner[:start])
}

// goReader returns the text that a Go module extracts. The module returns the letters in visual order.
func goReader(_ context.Context, file string) (string, error) {
	f, r, err := pdf.Open(file)
	if err != nil {
		return "", fmt.Errorf("pdftest: %w", err)
	}
	defer f.Close()
	text, err := r.GetPlainText()
	if err != nil {
		return "", fmt.Errorf("pdftest: %w", err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(text); err != nil {
		return "", fmt.Errorf("pdftest: %w", err)
	}
	return turned(out.String()), nil
}

// stretch matches a stretch of Arabic letters and marks, including any text between them.
var stretch = regexp.MustCompile(`[\p{Arabic}\x{0640}\x{064B}-\x{065F}\x{0670}]([^\pL\pN\n]*[\p{Arabic}\x{0640}\x{064B}-\x{065F}\x{0670}])*`)

// turned reverses each stretch of Arabic in a line, as newer versions of MuPDF do.
func turned(text string) string { return stretch.ReplaceAllStringFunc(text, reversed) }

func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// node returns a Reader that uses a library in tools/node. It reads all files in a single process, because
// starting a process takes longer than reading a file.
func node(library string) Reader {
	return func(ctx context.Context, files []string) ([]string, error) {
		root, err := root()
		if err != nil {
			return nil, err
		}
		if _, err := run(ctx, filepath.Join(root, "tools", "node.sh")); err != nil {
			return nil, err
		}
		out, err := run(ctx, "node", append([]string{filepath.Join(root, "tools", "node", "pdf-text.mjs"), library}, files...)...)
		if err != nil {
			return nil, err
		}
		var texts []string
		if err := json.Unmarshal([]byte(out), &texts); err != nil {
			return nil, fmt.Errorf("pdftest: %s: %w", library, err)
		}
		return texts, nil
	}
}

// root returns the root directory of the repository.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("pdftest: %w", err)
	}
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("pdftest: not within the repository")
}

func run(ctx context.Context, name string, args ...string) (string, error) {
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w (deploy/setup.sh test): %s", name, err, strings.TrimSpace(problems.String()))
	}
	return out.String(), nil
}
