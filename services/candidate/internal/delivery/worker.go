package delivery

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/background"
)

// Total is the number of applications to a job.
type Total struct {
	JobID string
	Count int32
}

// Outbox holds the totals that have not been confirmed yet.
type Outbox interface {
	// LeaseTotals returns up to atMost totals that no other worker has leased, and leases them for
	// the duration life.
	LeaseTotals(ctx context.Context, atMost int32, life time.Duration) ([]Total, error)
	// DropTotals deletes confirmed totals, unless they have grown in the meantime.
	DropTotals(ctx context.Context, totals []Total) error
}

// Catalog records totals. The partnercatalog service implements it.
type Catalog interface {
	// RecordTotals returns once the totals have been committed.
	RecordTotals(ctx context.Context, totals []Total) error
}

const (
	// batch is the number of totals sent in one call. The partnercatalog service accepts up to
	// 1,000.
	batch = 500
	// pollEvery is the time between two reads of the outbox if nothing wakes the worker. These
	// reads find totals whose lease has expired.
	pollEvery = time.Second
	// sendWithin limits how long a call may take. settleWithin limits how long the deletion after
	// it may take. leaseFor is longer than both together. It is also the time after which totals
	// are retried if they could not be sent or their worker died.
	sendWithin   = 2 * time.Second
	settleWithin = time.Second
	leaseFor     = 4 * time.Second
)

// Worker sends totals. Several workers may run concurrently.
type Worker struct {
	cfg  Config
	wake chan struct{}
}

// Config holds the dependencies of a Worker. All are required.
type Config struct {
	Outbox  Outbox
	Catalog Catalog
}

// NewWorker returns a Worker.
func NewWorker(c Config) (*Worker, error) {
	if c.Outbox == nil || c.Catalog == nil {
		return nil, errors.New("delivery: Outbox and Catalog are required")
	}
	return &Worker{cfg: c, wake: make(chan struct{}, 1)}, nil
}

// Wake makes the worker read the outbox immediately. It does not block.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// Job returns the job that sends totals. New applications wake it.
func (w *Worker) Job() background.Job {
	return background.Job{Every: pollEvery, Wake: w.wake, Warning: "cannot send application counts to partnercatalog; trying again in the next round", Round: func(ctx context.Context) error {
		return background.Drain(batch, func() (int, error) { return w.sendBatch(ctx) })
	}}
}

// sendBatch sends the due totals and returns how many there were. It deletes sent totals even if
// the worker is being stopped, so they are not sent again.
func (w *Worker) sendBatch(ctx context.Context) (int, error) {
	totals, err := w.cfg.Outbox.LeaseTotals(ctx, batch, leaseFor)
	if err != nil || len(totals) == 0 {
		return 0, err
	}
	if err := w.record(ctx, totals); err != nil {
		return 0, err
	}
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	return len(totals), w.cfg.Outbox.DropTotals(settle, totals)
}

func (w *Worker) record(ctx context.Context, totals []Total) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return w.cfg.Catalog.RecordTotals(ctx, totals)
}
