package errs_test

import (
	"testing"

	"vitae.internal/pkg/errs"
)

// Each call asks several times for an error that is not there.
func TestWhatIsNoErrorIsFoundWithoutMemory(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { _, _ = errs.As(nil) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
