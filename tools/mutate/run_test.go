package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shared is a build cache for all tests of the tool: one from scratch takes each of them
// longer than all else.
var shared string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mutate-test-")
	if err != nil {
		panic(err)
	}
	shared = dir
	if err := os.Setenv("GOWORK", "off"); err != nil { // the repositories of the tests are none of ours
		panic(err)
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// of are the settings for a package of a repository.
func of(root, folder string) settings {
	return settings{root: root, packages: []string{folder}, seed: 1, least: 95, cache: shared}
}

// repository is one with a package that holds a promise, one that holds none, and a test
// that would wait for ever.
func repository(t *testing.T, equivalents string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example\n\ngo 1.26.0\n",
		"held/held.go": "package held\n\nfunc Most(n int) bool { return n <= 20 }\n",
		"held/held_test.go": "package held\n\nimport \"testing\"\n\nfunc TestMostIsTwenty(t *testing.T) {\n" +
			"\tif !Most(20) || Most(21) {\n\t\tt.Error(\"it is not\")\n\t}\n}\n",
		"loose/loose.go":               "package loose\n\nvar Told []string\n\nfunc Tell() { Told = append(Told, \"x\") }\n",
		"loose/loose_test.go":          "package loose\n\nimport \"testing\"\n\nfunc TestTell(t *testing.T) { Tell() }\n",
		"hangs/hangs.go":               "package hangs\n\nvar C = make(chan int, 1)\n\nfunc Send() { C <- 1 }\n\nfunc Start() { Send() }\n",
		"hangs/hangs_test.go":          "package hangs\n\nimport \"testing\"\n\nfunc TestStart(t *testing.T) { Start(); <-C }\n",
		"tools/mutate/packages.txt":    "# a comment\nheld . -\nloose . -\nhangs . held\n",
		"tools/mutate/equivalents.txt": equivalents,
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestEnoughIsNoticedOrNot(t *testing.T) {
	for packages, want := range map[string]bool{"held": true, "loose": false} {
		root := repository(t, "")
		source := filepath.Join(root, packages, packages+".go")
		before, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		enough, err := run(t.Context(), of(root, packages))
		if err != nil || enough != want {
			t.Errorf("%s: enough %t, %v", packages, enough, err)
		}
		if after, err := os.ReadFile(source); err != nil || !slices.Equal(after, before) {
			t.Errorf("%s: the source has changed: %s, %v", packages, after, err)
		}
	}
	equivalent := "loose/loose.go Tell\n- Told = append(Told, \"x\")\n+\nNobody reads it.\n"
	if enough, err := run(t.Context(), of(repository(t, equivalent), "loose")); err != nil || !enough {
		t.Errorf("with its only fault among the equivalents: %t, %v", enough, err)
	}
}

func TestEveryOutcomeIsToldFromTheOthers(t *testing.T) {
	root := repository(t, "")
	b, err := newBench(root, t.TempDir(), shared)
	if err != nil {
		t.Fatal(err)
	}
	b.patience, b.servicePatience = 5*time.Second, time.Minute
	plantIn := func(folder, before, after string) mutant {
		raw, err := os.ReadFile(filepath.Join(root, folder, folder+".go"))
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(string(raw), before)
		return mutant{file: folder + "/" + folder + ".go", start: at, end: at + len(before), replacement: after}
	}
	for name, c := range map[string]struct {
		m    mutant
		want outcome
		test string
	}{
		"a test fails":      {plantIn("held", "20", "21"), noticed, "TestMostIsTwenty"},
		"no test fails":     {plantIn("held", "20", "10 + 10"), unnoticed, ""},
		"a test has no end": {plantIn("hangs", "Send() }\n", "}\n"), hung, "TestStart"},
		"no program":        {plantIn("held", "20", "\"x\""), invalid, ""},
	} {
		folder, _, _ := strings.Cut(c.m.file, "/")
		got, test, err := b.try(t.Context(), target{folder: folder, own: []string{folder}}, c.m, true)
		if err != nil || got != c.want || c.want == noticed && test != c.test {
			t.Errorf("%s: %s, %q, %v", name, got, test, err)
		}
	}
	// What its own tests do not notice, those of the service may.
	m := plantIn("held", "20", "21")
	got, test, err := b.try(t.Context(), target{folder: "held", own: []string{"loose"}, service: "held"}, m, true)
	if err != nil || got != noticed || test != "TestMostIsTwenty" {
		t.Errorf("by the service: %s, %q, %v", got, test, err)
	}
	if got, _, _ := b.try(t.Context(), target{folder: "held", own: []string{"loose"}, service: "held"}, m, false); got != unnoticed {
		t.Errorf("without the service: %s", got)
	}
}

// The module stands for the real one, which likewise writes beside the tests unless its
// flag forbids it. A test binary without the package refuses the flag.
func TestPropertyBasedTestsThatFailLeaveNoFile(t *testing.T) {
	root := repository(t, "")
	for name, text := range map[string]string{
		"go.mod":       "module example\n\ngo 1.26.0\n\nrequire pgregory.net/rapid v1.0.0\n\nreplace pgregory.net/rapid => ./rapid\n",
		"rapid/go.mod": "module pgregory.net/rapid\n\ngo 1.26.0\n",
		"rapid/rapid.go": "package rapid\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\n" +
			"var none = flag.Bool(\"rapid.nofailfile\", false, \"\")\n\n" +
			"func Failed() {\n\tif !*none {\n\t\tos.WriteFile(\"left.fail\", nil, 0o600)\n\t}\n}\n",
		"held/rapid_test.go": "package held\n\nimport (\n\t\"testing\"\n\n\t\"pgregory.net/rapid\"\n)\n\n" +
			"func TestAProperty(t *testing.T) {\n\tif Most(21) {\n\t\trapid.Failed()\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(root, "held", "held_test.go")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"held", "loose"} {
		if _, err := run(t.Context(), of(root, folder)); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
		if _, err := os.Stat(filepath.Join(root, folder, "left.fail")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a file is left, or not: %v", folder, err)
		}
	}
}

func TestTestsThatFailWithoutAFaultAreAnErrorAndNoFigure(t *testing.T) {
	root := repository(t, "")
	broken := filepath.Join(root, "loose", "broken_test.go")
	if err := os.WriteFile(broken, []byte("package loose\n\nimport \"testing\"\n\nfunc TestBroken(t *testing.T) { t.Fail() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t.Context(), of(root, "loose")); err == nil || !strings.Contains(err.Error(), "TestBroken") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(ctx, of(root, "held")); err == nil {
		t.Error("a run that was interrupted gives a figure")
	}
}

func TestTheSeedChoosesTheSampleAndNothingElseDoes(t *testing.T) {
	order := func(seed uint64, packages ...string) (out []string) {
		t.Helper()
		all, err := plans(settings{root: "../..", packages: packages, seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			if p.folder == "pkg/credential" {
				for _, m := range p.mutants {
					out = append(out, m.String())
				}
			}
		}
		return out
	}
	first := order(1, "pkg/credential")
	if len(first) < 10 || !slices.Equal(first, order(1)) {
		t.Errorf("%d faults, or another order beside other packages", len(first))
	}
	if slices.Equal(first, order(2)) {
		t.Error("another seed chooses the same")
	}
	if _, err := plans(settings{root: "../..", packages: []string{"nowhere"}}); err == nil {
		t.Error("a word that chooses nothing is taken")
	}
}

func TestAnEquivalentThatListsNothingOrHasNoReasonIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"the code has changed": "held/held.go Most\n- n <= 30\n+ n < 30\nIt was so once.\n",
		"another function":     "held/held.go Least\n- n <= 20\n+ n < 20\nIt was so once.\n",
		"no reason":            "held/held.go Most\n- n <= 20\n+ n < 20\n",
		"no fault":             "held/held.go Most\nIt is so.\nIt is so.\nIt is so.\n",
	} {
		if _, err := plans(settings{root: repository(t, text)}); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	all, err := plans(settings{root: repository(t, "# a comment\n\nheld/held.go Most\n- n <= 20\n+ n < 20\nA reason\nof two lines.\n"), packages: []string{"held"}})
	if err != nil || len(all) != 1 || slices.ContainsFunc(all[0].mutants, func(m mutant) bool { return m.kind == boundary }) {
		t.Errorf("%v, %v", all, err)
	}
}

func TestHungFaultsCountAsUnnoticed(t *testing.T) {
	var c tally
	if c.percentage() != 100 {
		t.Errorf("nothing planted: %v", c.percentage())
	}
	for _, o := range []outcome{noticed, noticed, noticed, hung, unnoticed, invalid} {
		c.count(o, mutant{})
	}
	var all tally
	all.add(c)
	if all.planted() != 5 || all.percentage() != 60 {
		t.Errorf("%d planted, %v %%", all.planted(), all.percentage())
	}
}
