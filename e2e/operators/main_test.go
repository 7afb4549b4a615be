// Package operators_test tests what operators rely on: starting and stopping the system, killing its
// services, vitaectl, the gRPC interface, usage and the request log. It also tests that no secret is
// written anywhere.
//
// Tests that stop or kill the shared stack, or suspend one of its services, do not run in parallel with
// other tests that use it; most of them run in TestBrokenStacks. They repair the stack for the next
// test; see sharedStack.
package operators_test

import (
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{Own: true, Split: true}) }

// TestBrokenStacks breaks two stacks concurrently, because it mostly waits.
func TestBrokenStacks(t *testing.T) {
	t.Run("shared", func(t *testing.T) {
		t.Parallel()
		t.Run("Ctrl-C leaves no process and loses no data", stopAndStart)
		t.Run("killing services loses and duplicates no write", killServices)
		t.Run("killing the gateway loses no request older than 5 s", killGateway)
	})
	t.Run("own", func(t *testing.T) {
		t.Parallel()
		noSecretIsFound(t)
	})
}

// sharedStack returns the shared stack, running and with the settings of every test, for a test that
// stops it or kills one of its services. It repairs the stack after the test.
func sharedStack(t *testing.T) *stack.Stack {
	t.Helper()
	s := suite.System
	repair := func() {
		if !s.Running() {
			s.SetEnv(suite.NoTiers, suite.Split)
			suite.Begin(t, s)
		}
	}
	repair()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("end of the system's log:\n" + s.LogTail())
		}
		repair()
	})
	return s
}

// kill kills every process of a service with SIGKILL, which also ends the stack. It asserts that the
// stack leaves no process behind.
func kill(t *testing.T, s *stack.Stack, service string) {
	t.Helper()
	before, processes := s.Processes(), s.Services(service)
	if len(processes) == 0 {
		t.Fatalf("no process of %s", service)
	}
	for _, p := range processes {
		suite.Signal(t, p, syscall.SIGKILL)
	}
	if err := s.Ended(before); err != nil {
		t.Fatalf("after kill -9 of %s: %v", service, err)
	}
}
