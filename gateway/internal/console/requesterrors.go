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
	// Text is a sentence, Address where the guide says it.
	Text    template.HTML
	Address string
}

// errorGuide is the guide in which every public code has a row, and errorPage its address
// below that of the pages.
const (
	errorGuide = "guides/errors.md"
	errorPage  = "/docs/errors"
)

var (
	errorRow   = regexp.MustCompile("^\\| `([A-Z_]+)` \\|.* \\| (.+) \\|$")
	codeInText = regexp.MustCompile("`([^`]+)`")
	linkInText = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
)

// readErrorDocs reads the guide to errors, so that the console explains a code as the guide
// does. Its fragment names the row for browsers that know text fragments.
func readErrorDocs(files fs.FS, appURL string) (map[string]errorDoc, error) {
	guide, err := fs.ReadFile(files, errorGuide)
	if err != nil {
		return nil, err
	}
	found := map[string]errorDoc{}
	chapter := ""
	for line := range strings.Lines(string(guide)) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			chapter = strings.ReplaceAll(strings.ToLower(title), " ", "-")
		}
		if m := errorRow.FindStringSubmatch(line); m != nil {
			found[m[1]] = errorDoc{Text: errorText(m[2]), Address: appURL + errorPage + "#" + chapter + ":~:text=" + m[1]}
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
