package usage

import (
	"context"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
)

const (
	// keepEvery is the pause between two rounds of the keeper.
	keepEvery = 10 * time.Minute
	// ahead is how many days after today have their partition: three, so that nobody
	// need get up when the keeper cannot work for a weekend.
	ahead = 3
	// batchesKept is how long a batch that was applied is known. The edge sends one
	// again for as long as auth is out of reach.
	batchesKept = day
	// batchesAtOnce bounds one delete, so that it never holds locks for long.
	batchesAtOnce = 1000
)

// Partitions are those of the log. Replicas may do the same at once.
type Partitions interface {
	// MakePartitions makes what is missing from first to last.
	MakePartitions(ctx context.Context, first, last time.Time) error
	// DropPartitions drops those of days before first.
	DropPartitions(ctx context.Context, first time.Time) error
	// DeleteBatches forgets up to atMost batches that were applied before the given
	// time, and says how many.
	DeleteBatches(ctx context.Context, before time.Time, atMost int32) (int64, error)
}

// Keeper makes the log's partitions ahead, and drops what is too old.
type Keeper struct {
	partitions Partitions
	clock      clock.Clock
	log        *slog.Logger
}

// NewKeeper makes a keeper.
func NewKeeper(p Partitions, c clock.Clock, log *slog.Logger) *Keeper {
	return &Keeper{partitions: p, clock: c, log: log}
}

// Run keeps the log until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		if err := k.RunOnce(ctx); err != nil && ctx.Err() == nil {
			k.log.WarnContext(ctx, "the request log is kept in the next round", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// RunOnce does what there is to do now.
func (k *Keeper) RunOnce(ctx context.Context) error {
	now := k.clock.Now()
	if err := k.makeFrom(ctx, DayOf(now)); err != nil {
		return err
	}
	if err := k.partitions.DropPartitions(ctx, oldest(now)); err != nil {
		return err
	}
	for n := int64(batchesAtOnce); n == batchesAtOnce; {
		var err error
		if n, err = k.partitions.DeleteBatches(ctx, now.Add(-batchesKept), batchesAtOnce); err != nil {
			return err
		}
	}
	return nil
}

// makeFrom makes those of a day and of all after it that are made ahead.
func (k *Keeper) makeFrom(ctx context.Context, first time.Time) error {
	return k.partitions.MakePartitions(ctx, first, DayOf(k.clock.Now()).Add(ahead*day))
}

// oldest is the first day that the log still holds a request of.
func oldest(now time.Time) time.Time { return DayOf(now.Add(-Retention)) }
