package world

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/e2e/internal/stack"
)

// Import imports a world, and fails the test if the import fails.
func Import(t testing.TB, s *stack.Stack, w World) Created {
	t.Helper()
	res := TryImport(t, s, w)
	if res.Code != 0 {
		t.Fatalf("import: exit status %d\n%s", res.Code, res.Stderr)
	}
	var created Created
	if err := json.Unmarshal([]byte(res.Stdout), &created); err != nil {
		t.Fatalf("the output of the import is not JSON: %v\n%s", err, res.Stdout)
	}
	return created
}

// TryImport imports any value as JSON, and returns the result even if the import fails.
func TryImport(t testing.TB, s *stack.Stack, w any) stack.Result {
	t.Helper()
	raw, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := s.Vitaectl(t.Context(), "import", file)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
