// Package operators_test proves what operators rely on: starting and stopping the system, killing
// its parts, vitaectl, the gRPC interface, usage and the request log. It also proves that no
// secret is written anywhere.
//
// Tests that stop or kill the shared stack, or freeze a part of it, do not run in parallel with
// others that use it; most of them run in TestBrokenStacks. They leave it whole for the next one;
// see whole.
package operators_test

import (
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{Own: true, Split: true}) }

// TestBrokenStacks breaks two stacks at once, because most of its time is waiting.
func TestBrokenStacks(t *testing.T) {
	t.Run("shared", func(t *testing.T) {
		t.Parallel()
		t.Run("Ctrl-C leaves no process, and the data is there at the next start", stopAndStart)
		t.Run("killing the parts loses no answered write and doubles none", killParts)
		t.Run("killing the gateway loses no request older than 5 s, stopping it none", killGateway)
	})
	t.Run("own", func(t *testing.T) {
		t.Parallel()
		noSecretIsFound(t)
	})
}

// whole is the shared stack for a test that stops it or kills a part of it. It runs,
// and it runs again after the test, with the settings of every test.
func whole(t *testing.T) *stack.Stack {
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
			t.Log("the end of the system's log:\n" + s.LogTail())
		}
		repair()
	})
	return s
}

// kill ends every process of a part with SIGKILL. The stack ends when one of its
// processes does; kill asserts that it leaves no process behind.
func kill(t *testing.T, s *stack.Stack, part string) {
	t.Helper()
	before, parts := s.Processes(), s.Services(part)
	if len(parts) == 0 {
		t.Fatalf("no process of %s", part)
	}
	for _, p := range parts {
		suite.Signal(t, p, syscall.SIGKILL)
	}
	if err := s.Ended(before); err != nil {
		t.Fatalf("after kill -9 of %s: %v", part, err)
	}
}
