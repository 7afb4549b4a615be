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
	// Programs holds the programs that stacks run.
	Programs stack.Binaries
	// Scratch is the folder for the data of stacks. t.TempDir cannot be used: Postgres, Redis and
	// Chromium may run as a different user, who has no access to it.
	Scratch string
)

// Options configures the system for the tests of a package.
type Options struct {
	// Own starts a stack even if E2E_BASE_URL is set, because the tests stop the stack or depend on its
	// settings.
	Own bool
	// Split runs each service in its own process. It requires Own.
	Split bool
	// Tiers enables the rate limits per IP address and per client. By default they are disabled,
	// because a test package sends too many requests from one address.
	Tiers bool
}

// Main runs the tests of a package and exits. Call it from TestMain.
func Main(m *testing.M, o Options) { os.Exit(run(m, o)) }

func run(m *testing.M, o Options) int {
	ctx := context.Background()
	tidy, err := Prepare(ctx)
	if err != nil {
		return Fail(err)
	}
	defer tidy()
	tests := func() int {
		if err := JudgeResponses(ctx, System, nil); err != nil {
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

// On starts a stack, calls do, and stops the stack. It returns the status of do, or 1 if the stack did
// not start, was denied access in Redis, or did not stop properly.
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
	if err := checkRedis(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL:", err)
		code = max(code, 1)
	}
	if err := System.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL: stopping the stack:", err)
		code = max(code, 1)
	}
	if code != 0 {
		fmt.Fprintln(os.Stderr, "end of the stack's log:\n"+System.LogTail())
	}
	return code
}

// Prepare sets Scratch and Programs. The caller must call tidy.
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

func checkRedis() error {
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

// NoTiers disables the rate limits per IP address and per client.
const NoTiers = "VITAE_SURFACE_TIERS=off"

// Split runs each service in its own process.
const Split = "VITAE_SPLIT=1"

// newStack returns a stack with two gateway replicas, whose responses are judged.
func newStack(name string, env []string) (*stack.Stack, error) {
	s, err := stack.New(stack.Options{Binaries: Programs, Dir: filepath.Join(Scratch, name), Replicas: 2, Env: env})
	if err != nil {
		return nil, err
	}
	judgeHosts(s)
	return s, nil
}

// Fail prints the error that prevented the tests from running, and returns the exit status.
func Fail(err error) int {
	fmt.Fprintln(os.Stderr, "e2e:", err)
	return 1
}
