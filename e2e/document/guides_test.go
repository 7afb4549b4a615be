package document_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/oauth2" // the guide's program in Go is built in this module

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit"
)

// fence matches a block of a guide that is marked with "run", such as "```sh run".
var fence = regexp.MustCompile("(?ms)^```(sh|go|js|python) run\n(.*?)^```$")

// toRun joins the blocks of a guide that are marked to be run, in one language.
func toRun(t testing.TB, guide, language string) string {
	t.Helper()
	text := expect.Must(os.ReadFile(filepath.Join(expect.Must(testkit.Root())(t), "docs", "guides", guide+".md")))(t)
	var blocks strings.Builder
	for _, m := range fence.FindAllSubmatch(text, -1) {
		if string(m[1]) == language {
			blocks.Write(m[2])
			blocks.WriteByte('\n')
		}
	}
	if blocks.Len() == 0 {
		t.Fatalf("%s has no blocks to run in %s", guide, language)
	}
	return blocks.String()
}

// written creates a folder with a file, as a reader would.
func written(t testing.TB, name, content string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// asPrinted saves the shell blocks of a guide as a script, guide.sh, as a reader would paste them. The
// script stops at the first command that fails.
func asPrinted(t testing.TB, guide string) (dir string) {
	t.Helper()
	return written(t, "guide.sh", "set -euo pipefail\n"+toRun(t, guide, "sh"))
}

// signInSettings returns the environment variables that the sign-in guide requires.
func signInSettings(t testing.TB, s *scene.Scene) []string {
	t.Helper()
	app := s.Client(t, "web")
	return []string{
		"BASE=" + suite.System.BaseURLs[0], "CLIENT_ID=" + app.ID, "CLIENT_SECRET=" + app.Secret, "REDIRECT_URI=" + app.Redirect,
	}
}

func TestSignInGuideCommandsWork(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	// The reader pastes the URL to which the browser was redirected; converse passes it as a line.
	pasted := regexp.MustCompile("(?m)^CAME_BACK='.*'$")
	script := toRun(t, "sign-in", "sh")
	if !pasted.MatchString(script) {
		t.Fatal("the guide has no placeholder for the callback URL")
	}
	dir := written(t, "guide.sh", "set -euo pipefail\n"+pasted.ReplaceAllString(script, "read -r CAME_BACK"))
	out := converse(t, program(t.Context(), dir, signInSettings(t, s), "bash", "guide.sh"), s.NewPerson(t, "layla"), person.Choice{})
	for _, want := range []string{"\n304\n", "\n401\n", `"revoked": true`, `"active": true`, `"scope": "profile email cv:read"`, `"name": "` + s.World.People[0].Name} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in the output:\n%s", want, out)
		}
	}
	for _, file := range []string{"cv.pdf", "linked.pdf"} {
		if pdf := expect.Must(os.ReadFile(filepath.Join(dir, file)))(t); !bytes.HasPrefix(pdf, []byte("%PDF-")) {
			t.Errorf("%s is not a PDF", file)
		}
	}
}

func TestSignInGuideCallbackPageWorks(t *testing.T) {
	t.Parallel()
	text := expect.Must(os.ReadFile(filepath.Join(expect.Must(testkit.Root())(t), "docs", "guides", "sign-in.md")))(t)
	page := regexp.MustCompile("(?ms)^```go page\n(.*?)^```$").FindSubmatch(text)
	if page == nil {
		t.Fatal("the guide has no callback page")
	}
	// The guide's port may be in use by a different program.
	l := expect.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	source := strings.Replace(string(page[1]), "127.0.0.1:9999", address, 1)
	dir := written(t, "back.go", source)
	goBuilds(t, dir, "back", "back.go")
	site := program(t.Context(), dir, nil, filepath.Join(dir, "back"))
	printed := expect.Must(site.StdoutPipe())(t)
	if err := site.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = site.Process.Kill(); _ = site.Wait() }()
	cameBack := "http://" + address + "/callback?code=c&state=s"
	var shown []byte
	for shown == nil { // until the program listens
		resp, err := http.Get(cameBack) //nolint:noctx // the URL is our own
		if err != nil {
			continue
		}
		shown = expect.Must(io.ReadAll(resp.Body))(t)
		resp.Body.Close()
	}
	line := expect.Must(bufio.NewReader(printed).ReadString('\n'))(t)
	if line != cameBack+"\n" || !strings.HasPrefix(string(shown), "You are back.") {
		t.Errorf("the program printed %q and served %q", line, shown)
	}
}

func TestSignInGuideProgramsWork(t *testing.T) {
	t.Parallel()
	t.Run("go", func(t *testing.T) {
		t.Parallel()
		s := scene.New(t)
		dir := written(t, "main.go", toRun(t, "sign-in", "go"))
		// This package is in a module that requires the guide's library.
		goBuilds(t, ".", filepath.Join(dir, "site"), filepath.Join(dir, "main.go"))
		out := converse(t, program(t.Context(), dir, signInSettings(t, s), filepath.Join(dir, "site")), s.NewPerson(t, "layla"), person.Choice{})
		if !strings.Contains(out, s.Created.People["layla"].ID) || !strings.Contains(out, "experiences") {
			t.Errorf("the program printed:\n%s", out)
		}
	})
	t.Run("js", func(t *testing.T) {
		t.Parallel()
		s := scene.New(t)
		dir := written(t, "sign-in.mjs", toRun(t, "sign-in", "js"))
		withNode(t, dir)
		out := converse(t, program(t.Context(), dir, signInSettings(t, s), "node", "sign-in.mjs"), s.NewPerson(t, "layla"), person.Choice{})
		if !strings.Contains(out, s.Created.People["layla"].ID) || !strings.Contains(out, "cv:read") {
			t.Errorf("the program printed:\n%s", out)
		}
	})
}

func TestSignInGuidePythonWorks(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	dir := written(t, "sign_in.py", toRun(t, "sign-in", "python"))
	out := converse(t, program(t.Context(), dir, signInSettings(t, s), "python3", "sign_in.py"), s.NewPerson(t, "layla"), person.Choice{})
	if !strings.Contains(out, s.Created.People["layla"].ID) || !strings.Contains(out, "cv:read") {
		t.Errorf("the program printed:\n%s", out)
	}
}

func TestPartnerAPIGuideCommandsWork(t *testing.T) {
	t.Parallel()
	w := world.Applicants()
	// As in the demo world, the job is closed, and the applicant with a resume has an offer.
	w.Jobs[0] = w.Jobs[0].With("closed", true)
	uploaded := slices.IndexFunc(w.Applications, func(a world.Application) bool { return a.Resume != nil })
	w.Applications[uploaded].Stages = []string{"reviewed", "offered"}
	w.Companies[0] = w.Companies[0].With("name", "Noor Health Group")
	for i := range 26 { // newer companies fill more than the first page
		w.Companies = append(w.Companies, world.Company().With("ref", fmt.Sprint("newer-", i)).With("app", "ats"))
	}
	p := scene.NewPlatform(t, w)
	settings := []string{"BASE=" + suite.System.BaseURLs[0], "API_KEY=" + p.Created.APIKeys["ats-key"].Key}

	if out := works(t, asPrinted(t, "quickstart"), settings, "bash", "guide.sh"); !strings.Contains(out, `"total":27`) {
		t.Errorf("the quickstart printed:\n%s", out)
	}

	dir := asPrinted(t, "first-job")
	out := works(t, dir, settings, "bash", "guide.sh")
	for _, want := range []string{`"status": "active"`, `"tagline": "Roasted on Tuesdays"`, `"min": 15000`, p.Created.Applications["file"].ID, `"offered"`, "closed\narchived\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in the output:\n%s", want, out)
		}
	}
	if resume := expect.Must(os.ReadFile(filepath.Join(dir, "resume.docx")))(t); !bytes.Equal(resume, world.ResumeFile) {
		t.Errorf("the resume has different content: %.40q", resume)
	}

	limits := works(t, asPrinted(t, "limits"), settings, "bash", "guide.sh")
	if n := strings.Count(limits, "\n"); n != 8 {
		t.Errorf("%d headers, want 8:\n%s", n, limits)
	}
}
