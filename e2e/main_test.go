package e2e_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/e2e/internal/stack"
)

// system is the stack that the tests share, and programs what it was built from.
var (
	system   *stack.Stack
	programs stack.Binaries
	// scratch is where stacks keep their data. Not below t.TempDir: the servers run
	// as a user of their own, who must be able to enter.
	scratch string
)

func TestMain(m *testing.M) {
	// Every step is a few requests: walks are short unless the command line asks for
	// more. Fail files would land in the clone.
	for name, value := range map[string]string{"checks": "25", "steps": "25", "nofailfile": "true"} {
		if err := flag.Set("rapid."+name, value); err != nil {
			os.Exit(fail(err))
		}
	}
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "vitae-e2e-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o711); err != nil {
		return fail(err)
	}
	scratch = dir
	if programs, err = stack.Build(ctx, dir); err != nil {
		return fail(err)
	}
	if os.Getenv("E2E_BASE_URL") != "" {
		if system, err = stack.Attach(programs); err != nil {
			return fail(err)
		}
		if err := judgeAnswers(ctx, judged(system)); err != nil {
			return fail(err)
		}
		return verdict(m.Run())
	}
	if system, err = newStack("shared"); err != nil {
		return fail(err)
	}
	if err := system.Start(ctx); err != nil {
		return fail(fmt.Errorf("%w\n%s", err, system.LogTail()))
	}
	if err := judgeAnswers(ctx, system); err != nil {
		return fail(errors.Join(err, system.Stop()))
	}
	code = verdict(m.Run())
	if err := system.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL: stopping the stack:", err)
		code = max(code, 1)
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "the end of the stack's log:\n"+system.LogTail())
	}
	return code
}

// newStack is one of two replicas of the edge. The suite comes from one address,
// with few clients, faster than partners may: the tests of the tiers have a stack of
// their own.
func newStack(name string) (*stack.Stack, error) {
	s, err := stack.New(stack.Options{
		Binaries: programs, Dir: filepath.Join(scratch, name), Replicas: 2, Env: []string{"VITAE_SURFACE_TIERS=off"},
	})
	if err != nil {
		return nil, err
	}
	return judged(s), nil
}

// verdict is the suite's exit status, which an answer that is not as documented makes
// a failure, whatever the tests made of it.
func verdict(code int) int {
	if err := differences(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL: an answer is not as the OpenAPI document says:", err)
		return max(code, 1)
	}
	return code
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "e2e:", err)
	return 1
}
