package delivery

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/background"
)

// Total is how many applications a job has.
type Total struct {
	JobID string
	Count int32
}

// Outbox holds the totals that partnercatalog has not confirmed.
type Outbox interface {
	// LeaseTotals gives at most atMost totals that no worker of any replica is sending,
	// and keeps other workers from them for the time life.
	LeaseTotals(ctx context.Context, atMost int32, life time.Duration) ([]Total, error)
	// DropTotals deletes confirmed totals, unless they have grown since.
	DropTotals(ctx context.Context, totals []Total) error
}

// Catalog records totals. Service partnercatalog implements it.
type Catalog interface {
	// RecordTotals returns after the totals are committed.
	RecordTotals(ctx context.Context, totals []Total) error
}

const (
	// batch is how many totals are sent at once; the contract takes 1,000.
	batch = 500
	// lookEvery is how often the outbox is read without a wake-up, for totals whose lease has
	// ended.
	lookEvery = time.Second
	// sendWithin bounds a call, settleWithin the deletion after it. leaseFor is longer than
	// both, and how long totals wait that could not be sent or whose worker has died.
	sendWithin   = 2 * time.Second
	settleWithin = time.Second
	leaseFor     = 4 * time.Second
)

// Worker sends totals. Any number may run at once.
type Worker struct {
	outbox  Outbox
	catalog Catalog
	wake    chan struct{}
}

// Config is what a Worker needs. All fields are required.
type Config struct {
	Outbox  Outbox
	Catalog Catalog
}

// NewWorker makes a worker.
func NewWorker(c Config) (*Worker, error) {
	if c.Outbox == nil || c.Catalog == nil {
		return nil, errors.New("delivery: Outbox and Catalog are required")
	}
	return &Worker{outbox: c.Outbox, catalog: c.Catalog, wake: make(chan struct{}, 1)}, nil
}

// Wake makes the worker read the outbox now. It returns at once.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// Job returns the job that sends totals. An application wakes it.
func (w *Worker) Job() background.Job {
	return background.Job{Every: lookEvery, Wake: w.wake, Warning: "cannot send application counts to partnercatalog; trying again in the next round", Round: func(ctx context.Context) error {
		return background.Drain(batch, func() (int, error) { return w.sendBatch(ctx) })
	}}
}

// sendBatch sends totals that are due, and returns how many. It drops them even if the
// worker is being stopped, so that they are not sent again.
func (w *Worker) sendBatch(ctx context.Context) (int, error) {
	totals, err := w.outbox.LeaseTotals(ctx, batch, leaseFor)
	if err != nil || len(totals) == 0 {
		return 0, err
	}
	if err := w.record(ctx, totals); err != nil {
		return 0, err
	}
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	return len(totals), w.outbox.DropTotals(settle, totals)
}

func (w *Worker) record(ctx context.Context, totals []Total) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return w.catalog.RecordTotals(ctx, totals)
}
