package expect

import (
	"context"
	"testing"
	"time"

	"vitae.internal/e2e/internal/stack"
)

// patience is how long Eventually waits. It is long because a loaded machine may be
// slow; it asserts nothing about speed.
const patience = 3 * time.Minute

// Eventually waits until a condition holds, and ends the test if it never does.
func Eventually(t testing.TB, what string, condition func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := stack.Until(ctx, what, condition); err != nil {
		t.Fatal(err)
	}
}
