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

// Outbox holds the totals that partnercatalog has not confirmed.
type Outbox interface {
	// LeaseTotals gives at most atMost totals that no worker of any replica is sending,
	// and keeps other workers from them for the time life.
	LeaseTotals(ctx context.Context, atMost int32, life time.Duration) ([]Total, error)
	// ReleaseTotals gives back totals that could not be sent.
	ReleaseTotals(ctx context.Context, totals []Total) error
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
	// lookEvery is how often the outbox is read without a wake-up, for totals that a crash
	// has left and totals that other replicas have released.
	lookEvery = time.Second
	// sendWithin bounds a call, settleWithin the deletion after it. leaseFor bounds how
	// long a worker that died keeps others from its totals.
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

// Config is what a Worker needs. All fields are required.
type Config struct {
	Outbox  Outbox
	Catalog Catalog
	Log     *slog.Logger
}

// NewWorker makes a worker. It does nothing before Run.
func NewWorker(c Config) (*Worker, error) {
	if c.Outbox == nil || c.Catalog == nil || c.Log == nil {
		return nil, errors.New("delivery: Outbox, Catalog and Log are required")
	}
	return &Worker{outbox: c.Outbox, catalog: c.Catalog, log: c.Log, wake: make(chan struct{}, 1)}, nil
}

// Wake makes the worker read the outbox now. It returns at once.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// Run sends totals until ctx ends. It is no periodic.Job: an application wakes it at
// once, a full batch is followed by the next one without a pause, and its pauses grow
// while partnercatalog is down.
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

// sendBatch sends totals that are due, and reports how many.
func (w *Worker) sendBatch(ctx context.Context) (int, error) {
	totals, err := w.outbox.LeaseTotals(ctx, batch, leaseFor)
	if err != nil || len(totals) == 0 {
		return 0, err
	}
	if err := w.record(ctx, totals); err != nil {
		// If the release fails too, the totals wait until the lease ends.
		return 0, errors.Join(err, w.settle(ctx, totals, w.outbox.ReleaseTotals))
	}
	return len(totals), w.settle(ctx, totals, w.outbox.DropTotals)
}

func (w *Worker) record(ctx context.Context, totals []Total) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return w.catalog.RecordTotals(ctx, totals)
}

// settle releases or drops totals. It does so even if the worker is being stopped, so
// that the next worker need not wait for the end of the lease.
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
