package errs_test

import (
	"testing"

	"vitae.internal/pkg/errs"
)

// Every call checks for errors several times, so the check must be cheap.
func TestAsDoesNotAllocateForNil(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { _, _ = errs.As(nil) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
