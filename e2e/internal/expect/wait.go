package expect

import (
	"context"
	"testing"
	"time"

	"vitae.internal/e2e/internal/stack"
)

// patience limits how long Eventually waits. It allows for a loaded machine and asserts nothing about
// speed.
const patience = 3 * time.Minute

// Eventually waits until condition returns nil, and fails the test if that takes longer than patience.
func Eventually(t testing.TB, what string, condition func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := stack.Until(ctx, what, condition); err != nil {
		t.Fatal(err)
	}
}
