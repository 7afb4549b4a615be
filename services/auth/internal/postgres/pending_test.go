package postgres_test

import (
	"testing"
	"time"

	"vitae.internal/services/auth/internal/authtest"
)

func TestPendingRevocationsAreGivenOldestFirstAndNoneThatIsTooYoung(t *testing.T) {
	w := authtest.New(t)
	var ids []int64
	for range 3 {
		p, _, c, _ := connected(w, "profile")
		entry, err := w.Store.EndConnection(t.Context(), p, c.ID, w.Clock.Now())
		w.Must(err)
		ids = append(ids, entry.ID)
		w.Clock.Advance(time.Microsecond)
	}
	second := authtest.Start.Add(time.Microsecond)
	for _, c := range []struct {
		before time.Time
		most   int
		want   []int64
	}{
		{second, 10, ids[:1]}, {second.Add(time.Microsecond), 10, ids[:2]}, {w.Clock.Now(), 10, ids}, {w.Clock.Now(), 2, ids[:2]},
	} {
		got, err := w.Store.PendingRevocations(t.Context(), c.before, c.most)
		w.Must(err)
		if len(got) != len(c.want) {
			t.Errorf("%d of %d entries, want %d", len(got), len(ids), len(c.want))
			continue
		}
		for i := range got {
			if got[i].ID != c.want[i] {
				t.Errorf("entry %d has the id %d, want %d", i, got[i].ID, c.want[i])
			}
		}
	}
}
