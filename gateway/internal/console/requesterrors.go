package console

import (
	"errors"
	"html/template"
	"io/fs"
	"regexp"
	"strings"
)

// errorDoc is what the guide to errors says about a code.
type errorDoc struct {
	// Text is a sentence, Address the page of the code, with its causes and what to do.
	Text    template.HTML
	Address string
}

// errorGuide is the guide in which every public code has a row, and errorPages begins the
// path of the page of a code.
const (
	errorGuide = "guides/errors.md"
	errorPages = "/docs/errors/"
)

var (
	errorRow   = regexp.MustCompile("^\\| `([A-Z_]+)` \\|.* \\| (.+) \\|$")
	codeInText = regexp.MustCompile("`([^`]+)`")
	linkInText = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
)

// readErrorDocs reads the guide to errors, so that the console explains a code as the guide
// does.
func readErrorDocs(files fs.FS, appURL string) (map[string]errorDoc, error) {
	guide, err := fs.ReadFile(files, errorGuide)
	if err != nil {
		return nil, err
	}
	found := map[string]errorDoc{}
	for line := range strings.Lines(string(guide)) {
		if m := errorRow.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			found[m[1]] = errorDoc{Text: errorText(m[2]), Address: appURL + errorPages + m[1]}
		}
	}
	if len(found) == 0 {
		return nil, errors.New("console: " + errorGuide + " has no rows of codes")
	}
	return found, nil
}

// errorText writes a cell of the guide, which is Markdown, as a sentence.
func errorText(cell string) template.HTML {
	text := template.HTMLEscapeString(sentence(linkInText.ReplaceAllString(cell, "$1")))
	return template.HTML(codeInText.ReplaceAllString(text, "<code>$1</code>")) //nolint:gosec // it is escaped
}
