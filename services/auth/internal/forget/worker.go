package forget

import (
	"context"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
)

const (
	// workEvery is how often the worker looks for orders that were left.
	workEvery = time.Second
	// leftAfter is the age from which an order counts as left: younger ones have a
	// Teller at work.
	leftAfter = 2 * time.Second
	// obsoleteAfter is the age from which no record that an order names can live,
	// however long its transaction took to commit.
	obsoleteAfter = 5 * time.Minute
	orderBatch    = 100
)

// Worker carries out orders that a crash, or a caller that went away, left
// behind.
type Worker struct {
	teller *Teller
	outbox Outbox
	clock  clock.Clock
	log    *slog.Logger
}

// NewWorker makes a worker.
func NewWorker(teller *Teller, outbox Outbox, c clock.Clock, log *slog.Logger) *Worker {
	return &Worker{teller: teller, outbox: outbox, clock: c, log: log}
}

// Run works until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	tick := time.NewTicker(workEvery)
	defer tick.Stop()
	for {
		if err := w.RunOnce(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "orders to forget wait", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// RunOnce carries out the orders that are there now. No transaction is open while
// Redis is asked: a Redis that is frozen must not hold what Postgres needs.
// Replicas may carry out the same order; forgetting twice does no harm.
func (w *Worker) RunOnce(ctx context.Context) error {
	for {
		now := w.clock.Now()
		orders, err := w.outbox.Orders(ctx, now.Add(-leftAfter), orderBatch)
		if err != nil {
			return err
		}
		if more, err := w.carryOut(ctx, orders, now); err != nil || !more {
			return err
		}
	}
}

// carryOut asks Redis for no more in this round once it has failed. Orders that
// are obsolete, the oldest, are dropped all the same.
func (w *Worker) carryOut(ctx context.Context, orders []Order, now time.Time) (more bool, err error) {
	var down error
	for _, o := range orders {
		if down == nil {
			down = w.teller.forget(ctx, &o)
		}
		if down != nil && now.Sub(o.At) <= obsoleteAfter {
			w.log.DebugContext(ctx, "redis could not be told of orders that were left", "order", o.ID, "error", down)
			return false, nil
		}
		if err := w.outbox.DropOrder(ctx, o.ID); err != nil {
			return false, err
		}
	}
	return len(orders) == orderBatch, nil
}
