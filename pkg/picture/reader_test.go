package picture

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// A decoder can only be stopped between two reads.
func TestReaderReturnsLittleAndStops(t *testing.T) {
	ctx, over := context.WithCancel(t.Context())
	r := reader{ctx, bytes.NewReader(make([]byte, 10*stride))}
	if n, err := r.Read(make([]byte, 8*stride)); n != stride || err != nil {
		t.Errorf("read %d bytes, %v", n, err)
	}
	over()
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("after cancellation: read %d bytes, %v", n, err)
	}
}
