package scene

import (
	"encoding/json"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
)

// Vitaectl runs a command that must succeed, and returns its JSON output.
func (s *Scene) Vitaectl(t testing.TB, args ...string) map[string]any {
	t.Helper()
	r := s.Exits(t, 0, append(args, "-o", "json")...)
	var m map[string]any
	if err := json.Unmarshal([]byte(r.Stdout), &m); err != nil {
		t.Fatalf("the output is not JSON: %v: %s", err, r.Stdout)
	}
	return m
}

// Exits runs a command and asserts its exit status. A command that fails must print an error.
func (s *Scene) Exits(t testing.TB, want int, args ...string) stack.Result {
	t.Helper()
	r := expect.Must(s.Stack.Vitaectl(t.Context(), args...))(t)
	if r.Code != want {
		t.Errorf("vitaectl %v: exit status %d, want %d: %s", args, r.Code, want, r.Stderr)
	}
	if want != 0 && strings.TrimSpace(r.Stderr) == "" {
		t.Errorf("vitaectl %v failed without an error message", args)
	}
	return r
}
