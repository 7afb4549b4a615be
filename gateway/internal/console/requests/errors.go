package requests

import (
	"errors"
	"html/template"
	"io/fs"
	"regexp"
	"strings"

	"vitae.internal/gateway/internal/console/shell"
)

// errorDoc explains an error code.
type errorDoc struct {
	// Text is a single sentence. Address is the URL of the page that lists causes and fixes.
	Text    template.HTML
	Address string
}

const (
	// errorGuide is the guide with a table that has a row for every public code.
	errorGuide = "guides/errors.md"
	// errorPages is the path of an error page, without the code that follows it.
	errorPages = "/docs/errors/"
)

var (
	errorRow   = regexp.MustCompile("^\\| `([A-Z_]+)` \\|.* \\| (.+) \\|$")
	codeInText = regexp.MustCompile("`([^`]+)`")
	linkInText = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
)

// readErrorDocs reads the explanations from the guide, so the console and the guide always agree.
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

// errorText converts a Markdown table cell from the guide to an HTML sentence.
func errorText(cell string) template.HTML {
	text := template.HTMLEscapeString(shell.Sentence(linkInText.ReplaceAllString(cell, "$1")))
	return template.HTML(codeInText.ReplaceAllString(text, "<code>$1</code>")) //nolint:gosec // it is escaped
}
