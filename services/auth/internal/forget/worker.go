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

// Orders are the outbox.
type Orders interface {
	// EachOrder calls do with orders written before the given time, oldest first,
	// atMost of them, and deletes those for which it returns true. Other replicas
	// skip them meanwhile. It returns how many it deleted.
	EachOrder(ctx context.Context, before time.Time, atMost int, do func(Order) (done bool)) (int, error)
}

// Worker carries out orders that a crash, or a caller that went away, left
// behind.
type Worker struct {
	teller *Teller
	orders Orders
	clock  clock.Clock
	log    *slog.Logger
}

// NewWorker makes a worker.
func NewWorker(teller *Teller, orders Orders, c clock.Clock, log *slog.Logger) *Worker {
	return &Worker{teller: teller, orders: orders, clock: c, log: log}
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

// RunOnce carries out the orders that are there now.
func (w *Worker) RunOnce(ctx context.Context) error {
	for {
		now := w.clock.Now()
		done, err := w.orders.EachOrder(ctx, now.Add(-leftAfter), orderBatch, func(o Order) bool {
			err := w.teller.forget(ctx, o)
			return err == nil || now.Sub(o.At) > obsoleteAfter
		})
		if err != nil || done < orderBatch {
			return err
		}
	}
}
