package suite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/pkg/testkit"
)

var (
	// System is the stack that the tests of the package share.
	System *stack.Stack
	// Programs are the programs that stacks run.
	Programs stack.Binaries
	// Scratch is the folder in which stacks keep their data. It is not below
	// t.TempDir, because Postgres, Redis and Chromium run as another user, who must be
	// able to enter it.
	Scratch string
)

// Options say which system the tests of a package need.
type Options struct {
	// Own starts a stack even if E2E_BASE_URL names one that runs: the tests stop the
	// stack, or depend on its settings.
	Own bool
	// Split starts each part in its own process, for tests that stop or measure single
	// parts. Set it together with Own.
	Split bool
	// Tiers leaves the limits by address and by client as users have them. By default
	// they are off: a suite sends more requests from one address than partners may.
	Tiers bool
}

// Main runs the tests of a package and exits. TestMain calls it.
func Main(m *testing.M, o Options) { os.Exit(run(m, o)) }

func run(m *testing.M, o Options) int {
	ctx := context.Background()
	tidy, err := Prepare(ctx)
	if err != nil {
		return Fail(err)
	}
	defer tidy()
	tests := func() int {
		if err := JudgeAnswers(ctx, System, nil); err != nil {
			return Fail(err)
		}
		return Verdict(m.Run())
	}
	if o.Own || os.Getenv("E2E_BASE_URL") == "" {
		return on(ctx, o, tests)
	}
	if System, err = stack.Attach(Programs); err != nil {
		return Fail(err)
	}
	return tests()
}

// On starts the stack that tests share, does something on it, and stops it. It returns the
// exit status of what was done, or 1 if the stack did not start, did what its parts may
// not do, or did not end well.
func On(ctx context.Context, o Options, do func() int) int {
	tidy, err := Prepare(ctx)
	if err != nil {
		return Fail(err)
	}
	defer tidy()
	return on(ctx, o, do)
}

func on(ctx context.Context, o Options, do func() int) int {
	if err := startShared(ctx, o); err != nil {
		return Fail(err)
	}
	code := do()
	if err := refusedByRedis(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL:", err)
		code = max(code, 1)
	}
	if err := System.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL: stopping the stack:", err)
		code = max(code, 1)
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "the end of the stack's log:\n"+System.LogTail())
	}
	return code
}

// Prepare makes Scratch and Programs. The caller calls tidy at the end.
func Prepare(ctx context.Context) (tidy func(), err error) {
	if Scratch, err = testkit.MakePlace("vitae-e2e-"); err != nil {
		return nil, err
	}
	tidy = func() { _ = os.RemoveAll(Scratch) }
	if err = os.Chmod(Scratch, 0o711); err == nil {
		Programs, err = stack.Build(ctx)
	}
	if err != nil {
		tidy()
		return nil, err
	}
	return tidy, nil
}

// refusedByRedis takes no context: the one of the tests may have ended.
func refusedByRedis() error {
	address, err := System.RedisURL()
	if err != nil {
		return err
	}
	return RedisRefused(context.Background(), address)
}

func startShared(ctx context.Context, o Options) (err error) {
	var env []string
	if !o.Tiers {
		env = append(env, NoTiers)
	}
	if o.Split {
		env = append(env, Split)
	}
	if System, err = newStack("shared", env); err != nil {
		return err
	}
	if err := System.Start(ctx); err != nil {
		return fmt.Errorf("%w\n%s", err, System.LogTail())
	}
	return nil
}

// NoTiers switches the limits by address and by client off.
const NoTiers = "VITAE_SURFACE_TIERS=off"

// Split starts each part in its own process.
const Split = "VITAE_SPLIT=1"

// newStack is a stack with two replicas of the gateway, whose answers are judged.
func newStack(name string, env []string) (*stack.Stack, error) {
	s, err := stack.New(stack.Options{Binaries: Programs, Dir: filepath.Join(Scratch, name), Replicas: 2, Env: env})
	if err != nil {
		return nil, err
	}
	judged(s)
	return s, nil
}

// Fail prints a fault that kept the tests from running, and gives the exit status.
func Fail(err error) int {
	fmt.Fprintln(os.Stderr, "e2e:", err)
	return 1
}
