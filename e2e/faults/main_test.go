package faults_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"vitae.internal/e2e/internal/stack"
)

var (
	// programs are what the systems run.
	programs stack.Binaries
	// scratch is where systems keep their data. Not below t.TempDir: the servers run
	// as a user of their own, who must be able to enter.
	scratch string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "vitae-faults-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = os.Chmod(dir, 0o711)
	}
	if err == nil {
		programs, err = stack.Build(context.Background(), dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		return 1
	}
	scratch = dir
	defer func() {
		if running != nil {
			running.close()
		}
	}()
	return verdict(m.Run())
}

// long says whether to break everything in every way.
func long() bool { return os.Getenv("FAULTS") == "all" }

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
