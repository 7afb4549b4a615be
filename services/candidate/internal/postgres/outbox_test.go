package postgres_test

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/postgres"
)

func lease(t *testing.T, s *postgres.Stores, life time.Duration) []delivery.Total {
	t.Helper()
	totals, err := s.Applications.LeaseTotals(t.Context(), 100, life)
	if err != nil {
		t.Fatal(err)
	}
	return totals
}

func want(t *testing.T, what string, got []delivery.Total, totals ...delivery.Total) {
	t.Helper()
	if len(got) != len(totals) || (len(got) > 0 && !reflect.DeepEqual(got, totals)) {
		t.Errorf("%s: %v, want %v", what, got, totals)
	}
}

func TestTotalStaysUntilConfirmed(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, "usr_1", "sara")
	add(t, s, "usr_2", "omar")
	add(t, s, "usr_3", "noor")
	want(t, "before", lease(t, s, time.Hour))
	apply(t, s, applying("usr_1", "job_1", start))
	one := delivery.Total{JobID: "job_1", Count: 1}
	want(t, "due", lease(t, s, -time.Hour), one)
	want(t, "after the lease of a dead worker has expired", lease(t, s, time.Hour), one)
	want(t, "leased", lease(t, s, time.Hour))

	// The total grows while it is being sent. It becomes due again, and the response to the older
	// total must not delete it.
	apply(t, s, applying("usr_2", "job_1", start))
	if err := s.Applications.DropTotals(t.Context(), []delivery.Total{one}); err != nil {
		t.Fatal(err)
	}
	two := delivery.Total{JobID: "job_1", Count: 2}
	want(t, "grown", lease(t, s, time.Hour), two)
	if err := s.Applications.DropTotals(t.Context(), []delivery.Total{two}); err != nil {
		t.Fatal(err)
	}
	want(t, "confirmed", lease(t, s, -time.Hour))

	// The total continues from its last value, even though its outbox row has been deleted.
	apply(t, s, applying("usr_3", "job_1", start))
	want(t, "again", lease(t, s, time.Hour), delivery.Total{JobID: "job_1", Count: 3})
}

func TestStageChangeDoesNotSendTotal(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, "usr_1", "sara")
	row := apply(t, s, applying("usr_1", "job_1", start))
	if err := s.Applications.DropTotals(t.Context(), lease(t, s, time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Applications.Move(t.Context(), row.ID, "rejected", start, may("rejected")); err != nil {
		t.Fatal(err)
	}
	want(t, "after a rejected change", lease(t, s, time.Hour))
}

func TestWorkersLeaseDifferentTotals(t *testing.T) {
	t.Parallel()
	const jobs = 60
	s, _ := open(t)
	add(t, s, "usr_1", "sara")
	for i := range jobs {
		apply(t, s, applying("usr_1", fmt.Sprintf("job_%d", i), start))
	}
	var mu sync.Mutex
	taken := map[string]int{}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for {
				totals, err := s.Applications.LeaseTotals(context.Background(), 7, time.Hour)
				if err != nil {
					t.Error(err)
				}
				if len(totals) == 0 {
					return
				}
				mu.Lock()
				for _, total := range totals {
					taken[total.JobID]++
				}
				mu.Unlock()
				if err := s.Applications.DropTotals(context.Background(), totals); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if len(taken) != jobs {
		t.Errorf("%d of %d totals were leased", len(taken), jobs)
	}
	for job, times := range taken {
		if times != 1 {
			t.Errorf("%s was leased %d times", job, times)
		}
	}
	want(t, "afterwards", lease(t, s, -time.Hour))
}
