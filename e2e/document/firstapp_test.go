package document_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/testkit"
)

// Steps of the guide to the first app are the items of a numbered list.
var (
	step      = regexp.MustCompile(`(?m)^\d+\. (.*)$`)
	openStep  = regexp.MustCompile(`^Open <([^>]+)>, and sign in\.$`)
	pressStep = regexp.MustCompile(`^Press \*\*(.+?)\*\*`)
	goStep    = regexp.MustCompile(`^Follow \*\*(.+?)\*\*`)
	writeStep = regexp.MustCompile("^Enter `(.+?)` in \\*\\*(.+?)\\*\\*\\.$")
	tickStep  = regexp.MustCompile(`^Tick \*\*(.+?)\*\*\.$`)
)

// localConsole is the console URL in the guides.
const localConsole = "http://127.0.0.1:8083"

// follow performs a step of the guide in a browser, as a reader would.
func follow(t *testing.T, b *browser.Browser, p *person.Person, text string) {
	t.Helper()
	switch {
	case openStep.MatchString(text):
		b.Open(strings.Replace(openStep.FindStringSubmatch(text)[1], localConsole, suite.System.ConsoleURLs[0], 1))
		b.Find("textbox", person.Email).Fill(p.Email)
		b.Find("textbox", person.Password).Fill(p.Password)
		b.Find("button", person.SignInButton).Click()
	case pressStep.MatchString(text):
		b.Find("button", pressStep.FindStringSubmatch(text)[1]).Click()
	case goStep.MatchString(text):
		b.Find("link", goStep.FindStringSubmatch(text)[1]).Click()
	case writeStep.MatchString(text):
		m := writeStep.FindStringSubmatch(text)
		b.Find("textbox", m[2]).Fill(m[1])
	case tickStep.MatchString(text):
		b.Find("checkbox", tickStep.FindStringSubmatch(text)[1]).Set(true)
	default:
		t.Fatalf("unknown step %q", text)
	}
}

func TestFirstAppGuideWorks(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	p := s.NewPerson(t, "layla")
	b := browser.Start(t, browser.Options{})
	guide := string(expect.Must(os.ReadFile(filepath.Join(expect.Must(testkit.Root())(t), "docs", "guides", "first-app.md")))(t))
	steps := step.FindAllStringSubmatch(guide, -1)
	if len(steps) < 15 {
		t.Fatalf("the guide has %d steps", len(steps))
	}
	for _, m := range steps {
		follow(t, b, p, m[1])
	}
	b.Find("region", "Copy it now")
	shown := b.Find("region", "Try it").Text()
	key := regexp.MustCompile(`svc_sk_\w+`).FindString(shown)
	_, lines, _ := strings.Cut(shown, "Try it")
	lines = strings.TrimSpace(lines)

	// The console shows two lines, which are run unchanged.
	if out := works(t, t.TempDir(), nil, "bash", "-euo", "pipefail", "-c", lines); strings.Count(lines, "\n") != 1 || !strings.Contains(out, `"total":0`) {
		t.Errorf("%s\nprinted %s", lines, out)
	}
	out := works(t, asPrinted(t, "first-app"), []string{"BASE=" + suite.System.BaseURLs[0], "API_KEY=" + key}, "bash", "guide.sh")
	if !strings.HasSuffix(strings.TrimSpace(out), "1\n\"Sidr Coffee Roasters\"") {
		t.Errorf("the guide's commands printed:\n%s", out)
	}
}
