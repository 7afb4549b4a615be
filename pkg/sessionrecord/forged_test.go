package sessionrecord

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/testkit"
)

// Only a defect of auth can produce such a record. It must not be read as an empty one.
func TestSealedGarbageIsRejected(t *testing.T) {
	t.Parallel()
	seal, err := NewSeal(testkit.Ring("record", "a"))
	if err != nil {
		t.Fatal(err)
	}
	now, stored := time.UnixMicro(1_772_000_000_000_000), &Stored{generation: "g", record: "\xff"}
	seal.close(Ref{AccountID: "dev_1"}, stored, now)
	if r, err := seal.Open(Ref{AccountID: "dev_1"}, stored, now); !errors.Is(err, ErrForged) || r != nil {
		t.Errorf("got %v, %v", r, err)
	}
}
