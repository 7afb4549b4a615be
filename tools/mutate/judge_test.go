package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOnlyATestThatSaysSoHasNoticedAFault(t *testing.T) {
	red, dead := exec.Command("false").Run(), exec.Command("sh", "-c", "kill -9 $$").Run()
	for name, c := range map[string]struct {
		said string
		err  error
		late bool
		want outcome
		// machine is what the error must say; empty for none.
		machine string
	}{
		"all pass":        {said: "ok  \texample/held\t0.002s\n", want: unnoticed},
		"a test fails":    {said: "--- FAIL: TestA (0.00s)\n    a_test.go:7: it is not\nFAIL\nFAIL\texample/held\t0.1s\nFAIL\n", err: red, want: noticed},
		"a part of one":   {said: "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\nFAIL\n", err: red, want: noticed},
		"a panic":         {said: "panic: runtime error: index out of range [1] with length 1\n\ngoroutine 1 [running]:\n", err: red, want: noticed},
		"a deadlock":      {said: "fatal error: all goroutines are asleep - deadlock!\n", err: red, want: noticed},
		"no test starts":  {said: "FAIL\texample/held\t0.1s\nFAIL\n", err: red, want: silent},
		"out of time":     {said: "panic: test timed out after 5s\n\trunning tests:\n\t\tTestA (5s)\n", err: red, want: hung},
		"deaf to its end": {said: "*** Test killed with quit: ran too long (11m0s).\nsignal: killed\n", err: red, want: hung},
		"far too late":    {err: dead, late: true, want: hung},
		"no program":      {said: "# example/held\nheld/held.go:3:33: undefined: x\nFAIL\texample/held [build failed]\n", err: red, want: invalid},
		"no source":       {said: "# example/held\nheld/held.go:3:33: expected operand\nFAIL\texample/held [setup failed]\n", err: red, want: invalid},

		"a disk that fills while it compiles": {said: "# example/held\nheld/held.go:3:1: write $WORK/b001/_pkg_.a: no space left on device\nFAIL\texample/held [build failed]\n", err: red, machine: "no space left"},
		"a disk that fills under a server":    {said: "--- FAIL: TestA (0.00s)\n    ERROR: could not extend file: No space left on device (SQLSTATE 53100)\n", err: red, machine: "No space left"},
		"no memory":                           {said: "fatal error: runtime: out of memory\n", err: red, machine: "out of memory"},
		"no memory for a compiler":            {said: "fork/exec /usr/local/go/pkg/tool/linux_amd64/compile: cannot allocate memory\n", err: red, machine: "cannot allocate"},
		"no file left":                        {said: "--- FAIL: TestA (0.00s)\n    open x: too many open files\n", err: red, machine: "too many open files"},
		"a compiler that is killed":           {said: "# example/held\ngo build example/held: /usr/local/go/pkg/tool/linux_amd64/compile: signal: killed\nFAIL\texample/held [build failed]\n", err: red, machine: "ended from outside"},
		"tests that are killed":               {said: "signal: killed\nFAIL\texample/held\t0.1s\nFAIL\n", err: red, machine: "ended from outside"},
		"the go command is killed":            {err: dead, machine: "ended from outside"},
		"there is no go command":              {err: errors.New("executable file not found in $PATH"), machine: "not found"},
		"a build that fails without a word":   {said: "FAIL\texample/held [build failed]\n", err: red, machine: "does not say why"},
	} {
		got, err := judge(c.said, c.err, c.late)
		if c.machine == "" && (err != nil || got != c.want) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if c.machine != "" && (err == nil || !strings.Contains(err.Error(), c.machine)) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

// write changes files of a repository; a text that is empty removes one.
func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if text == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	heading = "package held\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\n"
	// gone ends tests that cannot start unless the file up is there, as a server may be.
	gone = "func TestMain(m *testing.M) {\n\tif _, err := os.Stat(\"up\"); err != nil {\n\t\tfmt.Println(\"no server\")\n\t\tos.Exit(1)\n\t}\n\tos.Exit(m.Run())\n}\n"
)

func TestAMachineThatFailsGivesAnErrorThatNamesTheFaultAndNoFigure(t *testing.T) {
	for name, c := range map[string]struct{ test, want string }{
		// With a fault in place the tests do what they would on a machine that fails.
		"a full disk": {
			heading + "func TestMost(t *testing.T) {\n\tif !Most(20) || Most(21) {\n\t\tt.Fatal(fmt.Errorf(\"write: %s\", \"no space left on device\"), os.Args)\n\t}\n}\n",
			"no space left on device",
		},
		"tests that are killed": {
			heading + "func TestMost(t *testing.T) {\n\tif !Most(20) || Most(21) {\n\t\tp, _ := os.FindProcess(os.Getpid())\n\t\tfmt.Println(p.Kill())\n\t\tselect {}\n\t}\n}\n",
			"ended from outside",
		},
		"a server that goes between two runs": {
			heading + gone + "func TestMost(t *testing.T) {\n\tif !Most(20) || Most(21) {\n\t\tfmt.Println(os.Remove(\"up\"))\n\t\tt.Fail()\n\t}\n}\n",
			"without any fault",
		},
	} {
		root := repository(t, "")
		write(t, root, map[string]string{"held/held_test.go": c.test, "held/up": "yes"})
		_, err := run(t.Context(), of(root, "held"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The tests that notice a fault last are run again without it, so that a server which has
// gone since cannot stand for a test.
func TestWhatWasNoticedCountsOnlyIfTheTestsPassWithoutAFaultAfterwards(t *testing.T) {
	root := repository(t, "")
	write(t, root, map[string]string{
		"held/up": "yes",
		"held/held_test.go": heading + "func TestMost(t *testing.T) {\n\tif _, err := os.Stat(\"up\"); err != nil {\n\t\tt.Fatal(\"no server\")\n\t}\n" +
			"\tif !Most(20) || Most(21) {\n\t\tfmt.Println(os.Remove(\"up\"))\n\t\tt.Fail()\n\t}\n}\n",
	})
	if enough, err := run(t.Context(), of(root, "held")); err == nil || !strings.Contains(err.Error(), "does not count") {
		t.Errorf("enough %t, %v", enough, err)
	}
}

// A fault may keep the tests from starting, which nobody overlooks.
func TestTestsThatDoNotStartWithAFaultHaveNoticedIt(t *testing.T) {
	root := repository(t, "")
	write(t, root, map[string]string{
		"held/held_test.go": heading + "func TestMain(m *testing.M) {\n\tif !Most(20) || Most(21) {\n\t\tfmt.Println(\"it is not\")\n\t\tos.Exit(1)\n\t}\n\tos.Exit(m.Run())\n}\n",
	})
	if enough, err := run(t.Context(), of(root, "held")); err != nil || !enough {
		t.Errorf("enough %t, %v", enough, err)
	}
}

// The cache of whoever runs the tool must not grow by what nobody builds again.
func TestARunLeavesNothingBehind(t *testing.T) {
	theirs, folders := t.TempDir(), t.TempDir()
	t.Setenv("GOCACHE", theirs)
	t.Setenv("GOTMPDIR", folders)
	// A cache of the run's own begins empty, so this test compiles what a test needs.
	s := of(repository(t, ""), "held")
	s.cache = ""
	if enough, err := run(t.Context(), s); err != nil || !enough {
		t.Fatalf("enough %t, %v", enough, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is interrupted: %v", err)
	}
	for _, folder := range []string{theirs, folders} {
		if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}
}

func TestTheCacheDoesNotGrowWithTheFaults(t *testing.T) {
	b, err := newBench(repository(t, ""), t.TempDir(), shared)
	if err != nil {
		t.Fatal(err)
	}
	b.patience = time.Minute
	files := func() (all []string) {
		if err := b.cache.each(func(file string) error {
			all = append(all, file)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	held := target{folder: "held", own: []string{"held"}, service: "loose"}
	if err := errors.Join(b.measure(t.Context(), held), b.cache.forget()); err != nil {
		t.Fatal(err)
	}
	measured := files()
	faults, err := mutantsOf(b.root, "held")
	if err != nil || len(faults) < 2 {
		t.Fatal(faults, err)
	}
	for _, m := range faults {
		if o, _, err := b.try(t.Context(), held, m, true); err != nil || o != noticed {
			t.Errorf("%s: %s, %v", m, o, err)
		}
		if slices.Equal(files(), measured) {
			t.Errorf("%s: nothing was built", m)
		}
		if err := b.cache.forget(); err != nil {
			t.Fatal(err)
		}
		if got := files(); !slices.Equal(got, measured) {
			t.Errorf("%s: %d files are left of %d", m, len(got), len(measured))
		}
	}
	// What the tests of a service need without a fault stays, from the first fault on that
	// comes to them.
	if err := b.build(t.Context(), "loose"); err != nil {
		t.Fatal(err)
	}
	if err := b.cache.forget(); err != nil {
		t.Fatal(err)
	}
	if got := files(); len(got) <= len(measured) {
		t.Errorf("%d files, %d without the service", len(got), len(measured))
	}
}

func TestACacheThatIsNotThereYetIsEmpty(t *testing.T) {
	c := buildCache{dir: filepath.Join(t.TempDir(), "cache")}
	if err := errors.Join(c.keep(), c.forget()); err != nil || len(c.kept) != 0 {
		t.Errorf("%v, %v", c.kept, err)
	}
	if _, err := os.Stat(c.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is made: %v", err)
	}
}
