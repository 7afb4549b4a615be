package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/runtime"

	"vitae.internal/e2e/internal/node"
)

// axe is the script of axe-core.
var axe = sync.OnceValues(func() ([]byte, error) {
	modules, err := node.Modules()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(modules, "axe-core", "axe.min.js"))
})

// violation is what axe-core finds wrong on a page.
type violation struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

// Inaccessible is everything that axe-core finds wrong with the page, by all of its rules, a line
// each. The browser must run scripts: axe-core is one.
func (b *Browser) Inaccessible() []string {
	b.t.Helper()
	source, err := axe()
	b.check(err)
	result := call(b, runtime.Evaluate, runtime.EvaluateParams{
		Expression:   string(source) + "\n;axe.run(document, {resultTypes: ['violations']}).then(r => JSON.stringify(r.violations))",
		AwaitPromise: new(true), ReturnByValue: new(true),
	})
	if result.ExceptionDetails != nil {
		b.check(fmt.Errorf("axe-core at %s: %s %s", b.URL(), result.ExceptionDetails.Text, result.Result.Description))
	}
	var text string
	var found []violation
	b.check(json.Unmarshal([]byte(result.Result.Value), &text))
	b.check(json.Unmarshal([]byte(text), &found))
	var lines []string
	for _, v := range found {
		for _, n := range v.Nodes {
			lines = append(lines, fmt.Sprintf("%s: %s: %s: %s", v.ID, v.Help, n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " ")))
		}
	}
	return lines
}
