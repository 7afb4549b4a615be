package observability_test

import (
	"context"
	"os"
	"testing"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if !long() {
		return m.Run()
	}
	tidy, err := suite.Prepare(context.Background())
	if err != nil {
		return suite.Fail(err)
	}
	defer tidy()
	return suite.Verdict(m.Run())
}

// long reports whether to start a stack and break it.
func long() bool { return os.Getenv("OBSERVABILITY") == "all" }

// shipped is a file of deploy/observability.
func shipped(t *testing.T, file string) string { return root(t) + "/deploy/observability/" + file }

func root(t *testing.T) string {
	t.Helper()
	root, err := stack.Root()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
