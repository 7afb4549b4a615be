//go:build !nobrowser

package chromiumtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitae.internal/pkg/testkit/chromiumtest"
)

// patience limits how long Chromium may take to exit on a loaded machine.
const patience = time.Minute

// TestEndsBadly is run by TestChromiumExitsWithTests in a separate process.
func TestEndsBadly(t *testing.T) {
	end := os.Getenv("CHROMIUM_TEST_END")
	if end == "" {
		return
	}
	chromiumtest.Open(t)
	if end == "kill" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	os.Exit(3)
}

func TestChromiumExitsWithTests(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"exit", "kill"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			// t.TempDir is unsuitable: Chromium creates a socket in the folder, whose path is limited to
			// 107 bytes (unix(7)).
			folder, err := os.MkdirTemp("", "c")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(folder) })
			cmd := exec.Command(os.Args[0], "-test.run=^TestEndsBadly$")
			cmd.Env = append(os.Environ(), "CHROMIUM_TEST_END="+end, "TMPDIR="+folder)
			if out, err := cmd.CombinedOutput(); err == nil {
				t.Fatalf("the tests succeeded:\n%s", out)
			}
			for until := time.Now().Add(patience); ; {
				left := leftIn(t, folder)
				if len(left) == 0 {
					break
				}
				if time.Now().After(until) {
					t.Fatalf("files or processes left: %q", left)
				}
			}
		})
	}
}

// leftIn returns the files in a folder, and the command lines of processes that mention the folder.
func leftIn(t *testing.T, folder string) (left []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		left = append(left, f.Name())
	}
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range processes {
		// The file is gone if the process has exited in the meantime.
		if line, err := os.ReadFile(p); err == nil && strings.Contains(string(line), folder) {
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left
}
