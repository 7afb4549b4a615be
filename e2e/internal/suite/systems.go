package suite

import (
	"context"
	"syscall"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
)

// Start starts a separate stack with additional settings, and stops it at the end of the test. The test
// fails if the stack does not stop properly.
func Start(t testing.TB, name string, env ...string) *stack.Stack {
	t.Helper()
	s, err := newStack(name, env)
	if err != nil {
		t.Fatal(err)
	}
	Begin(t, s)
	t.Cleanup(func() {
		if s.Running() {
			Stop(t, s)
		}
		if t.Failed() {
			t.Log("end of the system's log:\n" + s.LogTail())
		}
	})
	return s
}

// Begin starts a stopped stack.
func Begin(t testing.TB, s *stack.Stack) {
	t.Helper()
	// t.Context is done if this is called from a cleanup function.
	if err := s.Start(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, s.LogTail())
	}
}

// Stop stops a stack.
func Stop(t testing.TB, s *stack.Stack) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Errorf("stopping the system: %v", err)
	}
}

// Signal sends a signal to a process of a stack.
func Signal(t testing.TB, p stack.Process, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(p.PID, s); err != nil {
		t.Fatalf("%v to %v: %v", s, p, err)
	}
}

// Dial connects to a service of a stack with the certificate of caller, as internal teams do
// (docs/internal-grpc.md).
func Dial(t testing.TB, s *stack.Stack, addr, service, caller string) *grpc.ClientConn {
	t.Helper()
	identity, err := mtls.Load(mtls.Files(s.TLSDir(), caller))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpcx.Dial(addr, service, identity)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
