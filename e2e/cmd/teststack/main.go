// Command teststack runs a command, such as a test runner, beside one stack that all its
// end-to-end tests share:
//
//	teststack COMMAND [ARGUMENT...]
//
// It names the stack to them by E2E_BASE_URL and the other variables of stack.Attach, and
// stops it when the command has ended. It exits with the command's status, or with 1 if
// the stack did not end well. Without it every package of tests starts a stack of its own,
// which costs each some seconds of both processors. Packages whose tests break the stack,
// or depend on its settings, start one of their own anyway.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"vitae.internal/e2e/internal/suite"
)

// grace is how long the command may take to end after the signal.
const grace = time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 {
		os.Exit(suite.Fail(errors.New("name a command to run")))
	}
	os.Exit(suite.On(ctx, suite.Options{}, func() int {
		status, err := run(ctx, os.Args[1:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "teststack:", err)
			status = max(status, 1)
		}
		return status
	}))
}

func run(ctx context.Context, command []string) (status int, err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), suite.System.Named()...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// A group of its own, so that a signal to this process alone also ends what
	// the command has started.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = grace
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil // the command has said what is wrong
	}
	return 0, err
}
