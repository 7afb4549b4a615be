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

// axe returns the source of axe-core.
var axe = sync.OnceValues(func() ([]byte, error) {
	modules, err := node.Modules()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(modules, "axe-core", "axe.min.js"))
})

// violation is a violation reported by axe-core.
type violation struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

// Inaccessible returns every violation that axe-core finds on the page. It requires JavaScript.
func (b *Browser) Inaccessible() []string {
	b.t.Helper()
	return b.inaccessible(nil)
}

// Illegible is like Inaccessible but checks only the color rules, which is faster.
func (b *Browser) Illegible() []string {
	b.t.Helper()
	return b.inaccessible([]string{"color-contrast", "link-in-text-block"})
}

func (b *Browser) inaccessible(rules []string) []string {
	b.t.Helper()
	if !evaluate[bool](b, "'axe' in window") { // once per page
		source, err := axe()
		b.check(err)
		b.run(string(source) + "\n;0")
	}
	options := map[string]any{"resultTypes": []string{"violations"}}
	if len(rules) > 0 {
		options["runOnly"] = rules
	}
	given, err := json.Marshal(options)
	b.check(err)
	result := b.run("axe.run(document, " + string(given) + ").then(r => JSON.stringify(r.violations))")
	var text string
	var found []violation
	b.check(json.Unmarshal([]byte(result.Value), &text))
	b.check(json.Unmarshal([]byte(text), &found))
	var lines []string
	for _, v := range found {
		for _, n := range v.Nodes {
			lines = append(lines, fmt.Sprintf("%s: %s: %s: %s", v.ID, v.Help, n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", " ")))
		}
	}
	return lines
}

// run evaluates a script and awaits the promise that it returns.
func (b *Browser) run(script string) *runtime.RemoteObject {
	b.t.Helper()
	result := call(b, runtime.Evaluate, runtime.EvaluateParams{Expression: script, AwaitPromise: new(true), ReturnByValue: new(true)})
	if result.ExceptionDetails != nil {
		b.check(fmt.Errorf("axe-core on %s: %s %s", b.URL(), result.ExceptionDetails.Text, result.Result.Description))
	}
	return result.Result
}
