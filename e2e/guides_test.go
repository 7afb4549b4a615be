package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// fence is a block of a guide that is marked to be run: "```sh run".
var fence = regexp.MustCompile("(?ms)^```(sh|go|js) run\n(.*?)^```$")

// toRun gives the blocks of a guide in one language, one after the other.
func toRun(t testing.TB, guide, language string) string {
	t.Helper()
	text := must(os.ReadFile(filepath.Join(must(stack.Root())(t), "docs", "guides", guide+".md")))(t)
	var blocks strings.Builder
	for _, m := range fence.FindAllSubmatch(text, -1) {
		if string(m[1]) == language {
			blocks.Write(m[2])
			blocks.WriteByte('\n')
		}
	}
	if blocks.Len() == 0 {
		t.Fatalf("%s has nothing to run in %s", guide, language)
	}
	return blocks.String()
}

// written puts what a reader would save into a folder.
func written(t testing.TB, name, content string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// asPrinted is the script that a reader makes by pasting the blocks, stopped by the
// first command that fails.
func asPrinted(t testing.TB, guide string) (dir string) {
	t.Helper()
	return written(t, "guide.sh", "set -euo pipefail\n"+toRun(t, guide, "sh"))
}

// signInSettings are what the guide to sign-in has its reader set.
func signInSettings(t testing.TB, s *scene) []string {
	t.Helper()
	app := s.app(t, "web")
	return []string{
		"BASE=" + system.BaseURLs[0], "CLIENT_ID=" + app.ID, "CLIENT_SECRET=" + app.Secret, "REDIRECT_URI=" + app.Redirect,
	}
}

func TestTheCommandsOfTheGuideToSignInWork(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := asPrinted(t, "sign-in")
	out := converse(t, program(t.Context(), dir, signInSettings(t, s), "bash", "guide.sh"), s.person(t, "layla"), person.Choice{})
	for _, want := range []string{"\n304\n", "\n401\n", `"revoked": true`, `"active": true`, `"scope": "profile email cv:read"`, `"name": "` + s.world.People[0].Name} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in what it printed:\n%s", want, out)
		}
	}
	for _, file := range []string{"cv.pdf", "linked.pdf"} {
		if pdf := must(os.ReadFile(filepath.Join(dir, file)))(t); !bytes.HasPrefix(pdf, []byte("%PDF-")) {
			t.Errorf("%s is no PDF", file)
		}
	}
}

func TestTheProgramsOfTheGuideToSignInWork(t *testing.T) {
	t.Parallel()
	t.Run("go", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		dir := written(t, "main.go", toRun(t, "sign-in", "go"))
		// In the folder of a module that has the library.
		works(t, ".", nil, "go", "build", "-trimpath", "-o", filepath.Join(dir, "site"), filepath.Join(dir, "main.go"))
		out := converse(t, program(t.Context(), dir, signInSettings(t, s), filepath.Join(dir, "site")), s.person(t, "layla"), person.Choice{})
		if !strings.Contains(out, s.created.People["layla"].ID) || !strings.Contains(out, "experiences") {
			t.Errorf("it printed:\n%s", out)
		}
	})
	t.Run("js", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		dir := written(t, "sign-in.mjs", toRun(t, "sign-in", "js"))
		withNode(t, dir)
		out := converse(t, program(t.Context(), dir, signInSettings(t, s), "node", "sign-in.mjs"), s.person(t, "layla"), person.Choice{})
		if !strings.Contains(out, s.created.People["layla"].ID) || !strings.Contains(out, "cv:read") {
			t.Errorf("it printed:\n%s", out)
		}
	})
}

func TestTheCommandsOfTheGuidesToThePartnerAPIWork(t *testing.T) {
	t.Parallel()
	w := applicants()
	// As in the demo: a closed job, and who uploaded a resume was offered it.
	w.Jobs[0] = w.Jobs[0].With("closed", true)
	uploaded := slices.IndexFunc(w.Applications, func(a world.Application) bool { return a.Resume != nil })
	w.Applications[uploaded].Stages = []string{"reviewed", "offered"}
	w.Companies[0] = w.Companies[0].With("name", "Noor Health Group")
	for i := range 26 { // more than a page has by default, and newer
		w.Companies = append(w.Companies, world.Company().With("ref", fmt.Sprint("newer-", i)).With("app", "ats"))
	}
	p := newPlatform(t, w)
	settings := []string{"BASE=" + system.BaseURLs[0], "API_KEY=" + p.created.APIKeys["ats-key"].Key}

	dir := asPrinted(t, "first-job")
	out := works(t, dir, settings, "bash", "guide.sh")
	for _, want := range []string{`"status": "active"`, `"tagline": "Roasted on Tuesdays"`, `"min": 15000`, p.created.Applications["file"].ID, `"offered"`, "closed\narchived\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in what it printed:\n%s", want, out)
		}
	}
	if resume := must(os.ReadFile(filepath.Join(dir, "resume.docx")))(t); !bytes.Equal(resume, resumeFile) {
		t.Errorf("another resume: %.40q", resume)
	}

	limits := works(t, asPrinted(t, "limits"), settings, "bash", "guide.sh")
	if n := strings.Count(limits, "\n"); n != 8 {
		t.Errorf("%d headers, want 8:\n%s", n, limits)
	}
}
