// Command teststack runs a command, such as a test runner, with one stack that all its end-to-end tests
// share:
//
//	teststack COMMAND [ARGUMENT...]
//
// It passes the stack to the command in E2E_BASE_URL and the other variables of stack.Attach, and stops the
// stack when the command exits. It exits with the command's status, or with 1 if the stack failed to stop
// properly. Without teststack, every test package starts its own stack, which costs a few seconds of processor
// time each. Packages whose tests break the stack or depend on its settings always start their own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/testkit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 {
		os.Exit(suite.Fail(errors.New("usage: teststack COMMAND [ARGUMENT...]")))
	}
	os.Exit(suite.On(ctx, suite.Options{}, func() int {
		status, err := testkit.RunCommand(ctx, suite.System.Named(), os.Args[1:])
		if err != nil {
			fmt.Fprintln(os.Stderr, "teststack:", err)
			status = max(status, 1)
		}
		return status
	}))
}
