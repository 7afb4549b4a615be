package delivery

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Total is how many applications a job has.
type Total struct {
	JobID string
	Count int32
}

// Outbox holds the totals that were not confirmed.
type Outbox interface {
	// LeaseTotals takes at most atMost totals that no worker is sending, of this
	// replica or another, and leaves them to the caller for a while.
	LeaseTotals(ctx context.Context, atMost int32, life time.Duration) ([]Total, error)
	// ReleaseTotals gives back what could not be sent.
	ReleaseTotals(ctx context.Context, totals []Total) error
	// DropTotals deletes what was confirmed, unless it grew since.
	DropTotals(ctx context.Context, totals []Total) error
}

// Catalog takes totals over. Service partnercatalog does.
type Catalog interface {
	// RecordTotals returns after they are committed.
	RecordTotals(ctx context.Context, totals []Total) error
}

const (
	// batch is how many totals are sent at once; the contract takes 1,000.
	batch = 500
	// lookEvery is how often the outbox is read without being told to, for what a
	// crash left and what other replicas released.
	lookEvery = time.Second
	// sendWithin bounds a call, settleWithin the deletion after it, and leaseFor how
	// long a worker that dies keeps others from its totals.
	sendWithin   = 2 * time.Second
	settleWithin = time.Second
	leaseFor     = 4 * time.Second
	// pauseFirst doubles up to pauseMost while partnercatalog is down.
	pauseFirst = 100 * time.Millisecond
	pauseMost  = 2 * time.Second
)

// Worker sends totals. Several may run beside each other.
type Worker struct {
	outbox  Outbox
	catalog Catalog
	log     *slog.Logger
	wake    chan struct{}
}

// NewWorker makes a worker, which does nothing before Run.
func NewWorker(outbox Outbox, catalog Catalog, log *slog.Logger) (*Worker, error) {
	if outbox == nil || catalog == nil || log == nil {
		return nil, errors.New("delivery: an outbox, a catalog and a log are required")
	}
	return &Worker{outbox: outbox, catalog: catalog, log: log, wake: make(chan struct{}, 1)}, nil
}

// Wake makes the worker look now. It returns at once.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default: // told already
	}
}

// Run sends totals until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	pause := pauseFirst
	for ctx.Err() == nil {
		sent, err := w.sendBatch(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			w.log.WarnContext(ctx, "application counts wait for partnercatalog", "error", err, "retry_in", pause)
			wait(ctx, pause)
			pause = min(2*pause, pauseMost)
			continue
		}
		pause = pauseFirst
		if sent == batch {
			continue // there may be more
		}
		select {
		case <-w.wake:
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// sendBatch sends what is due, and reports how many totals that were.
func (w *Worker) sendBatch(ctx context.Context) (int, error) {
	totals, err := w.outbox.LeaseTotals(ctx, batch, leaseFor)
	if err != nil || len(totals) == 0 {
		return 0, err
	}
	if err := w.record(ctx, totals); err != nil {
		// A release that fails too costs the life of the lease, no more.
		return 0, errors.Join(err, w.settle(ctx, totals, w.outbox.ReleaseTotals))
	}
	return len(totals), w.settle(ctx, totals, w.outbox.DropTotals)
}

func (w *Worker) record(ctx context.Context, totals []Total) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return w.catalog.RecordTotals(ctx, totals)
}

// settle says what became of totals, also when the worker was told to stop
// meanwhile: the next one need not wait for the lease then.
func (w *Worker) settle(ctx context.Context, totals []Total, how func(context.Context, []Total) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	return how(ctx, totals)
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
