package usage

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Each batch costs the auth service one transaction, however small the batch is.
func TestBatchesAreSentInTime(t *testing.T) {
	for _, c := range []struct {
		name    string
		between time.Duration // time between two requests
		want    []int         // number of entries per batch over ten seconds
	}{
		{"few requests", 100 * time.Millisecond, []int{10, 10, 10, 10, 10, 10, 10, 10, 10, 10}},
		{"500 requests a second", 2 * time.Millisecond, []int{500, 500, 500, 500, 500, 500, 500, 500, 500, 500}},
		{"1250 requests a second", 800 * time.Microsecond, []int{1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 500}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				auth := newFakeAuth()
				var sent []int
				auth.answer = func(_ int, b *authv1.RecordRequestsRequest) (bool, error) {
					sent = append(sent, len(b.GetEntries()))
					time.Sleep(70 * time.Millisecond)
					return true, nil
				}
				r, _, stop := running(t, auth, time.Second)
				time.Sleep(c.between / 2) // avoids requests exactly at a tick
				for i := range int(10 * time.Second / c.between) {
					r.Record(request(i))
					time.Sleep(c.between)
				}
				stop()
				if !slices.Equal(sent, c.want) {
					t.Errorf("batches with %v entries, want %v", sent, c.want)
				}
			})
		})
	}
}
