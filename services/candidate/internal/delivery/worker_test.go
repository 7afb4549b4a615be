package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vitae.internal/pkg/background"
	"vitae.internal/services/candidate/internal/delivery"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// deployment is a fake of the outbox and of the partnercatalog service.
type deployment struct {
	mu      sync.Mutex
	waiting map[string]int32
	leased  map[string]bool
	counts  map[string]int32
	// failures is the number of calls to the partnercatalog service that fail before calls succeed.
	failures int
	calls    int
	largest  int
	// hang makes calls to the partnercatalog service hang.
	hang bool
}

func newDeployment(jobs int) *deployment {
	d := &deployment{waiting: map[string]int32{}, leased: map[string]bool{}, counts: map[string]int32{}}
	for i := range jobs {
		d.waiting[fmt.Sprintf("job_%d", i)] = int32(i + 1)
	}
	return d
}

var errDown = errors.New("down")

func (d *deployment) LeaseTotals(_ context.Context, atMost int32, _ time.Duration) (totals []delivery.Total, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for job, count := range d.waiting {
		if !d.leased[job] && len(totals) < int(atMost) {
			d.leased[job] = true
			totals = append(totals, delivery.Total{JobID: job, Count: count})
		}
	}
	return totals, nil
}

func (d *deployment) DropTotals(_ context.Context, totals []delivery.Total) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, total := range totals {
		if d.waiting[total.JobID] <= total.Count { // as in the database, unless the total has grown in the meantime
			delete(d.waiting, total.JobID)
		}
	}
	return nil
}

func (d *deployment) RecordTotals(ctx context.Context, totals []delivery.Total) error {
	d.mu.Lock()
	hang := d.hang
	d.mu.Unlock()
	if hang {
		<-ctx.Done()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	d.largest = max(d.largest, len(totals))
	if hang {
		return ctx.Err()
	}
	if d.calls <= d.failures {
		return errDown
	}
	for _, total := range totals {
		d.counts[total.JobID] = total.Count
	}
	return nil
}

// set changes the deployment while holding its lock.
func (d *deployment) set(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

func newWorker(t *testing.T, d *deployment) *delivery.Worker {
	t.Helper()
	w, err := delivery.NewWorker(delivery.Config{Outbox: d, Catalog: d})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// eventually waits until a condition holds.
func eventually(t *testing.T, d *deployment, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		d.mu.Lock()
		ok := holds()
		d.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

func TestTotalsAreSentInBatches(t *testing.T) {
	d := newDeployment(1700)
	if err := newWorker(t, d).Job().Round(t.Context()); err != nil || len(d.waiting) > 0 || d.counts["job_41"] != 42 || d.largest > 1000 {
		t.Errorf("error %v: %d totals were sent, at most %d per call", err, len(d.counts), d.largest)
	}
}

func TestFailedTotalWaitsForLease(t *testing.T) {
	d := newDeployment(3)
	d.failures = 1
	job := newWorker(t, d).Job()
	if err := job.Round(t.Context()); !errors.Is(err, errDown) {
		t.Errorf("a failing call returned %v", err)
	}
	if err := job.Round(t.Context()); err != nil || d.calls != 1 {
		t.Errorf("error %v: %d calls although the totals are leased, want only the failed one", err, d.calls)
	}
	clear(d.leased) // the leases expire
	if err := job.Round(t.Context()); err != nil || len(d.waiting) > 0 || d.calls != 2 {
		t.Errorf("error %v: %d totals are waiting after %d calls", err, len(d.waiting), d.calls)
	}
}

func TestWakeIsNotLostWhileBusy(t *testing.T) {
	d := newDeployment(0)
	w := newWorker(t, d)
	defer background.Start(quiet, w.Job())()
	for i := range int32(50) {
		d.set(func() { d.waiting["job_1"], d.leased["job_1"] = i+1, false })
		w.Wake()
		eventually(t, d, "it is sent", func() bool { return d.counts["job_1"] == i+1 })
	}
}

func TestWorkerStopsDuringCall(t *testing.T) {
	d := newDeployment(1)
	d.hang = true
	stop := background.Start(quiet, newWorker(t, d).Job())
	eventually(t, d, "it is sending", func() bool { return d.leased["job_0"] })
	stop() // goleak detects leaked goroutines
	if len(d.waiting) != 1 {
		t.Error("an unconfirmed total was deleted")
	}
}
