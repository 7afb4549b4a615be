package usage

import (
	"context"
	"time"
)

// Store keeps usage and log.
type Store interface {
	// Spent gives how much of a day's quota was spent; zero for an unknown account.
	Spent(ctx context.Context, accountID string, day time.Time) (int64, error)
	// Apply stores a batch, whole or not at all, unless it was applied before. It leaves
	// out counts and entries of unknown accounts. ErrNoPartition.
	Apply(ctx context.Context, b Batch, now time.Time) error
	// Usage lists the counts of an account, newest day first.
	Usage(ctx context.Context, accountID string, from, to time.Time) ([]Count, error)
	// Requests gives a page of the log.
	Requests(ctx context.Context, q Query) ([]Entry, error)
	// AccountExists reports whether there is such an account.
	AccountExists(ctx context.Context, id string) (bool, error)
}

// Partitions are those of the log. Several replicas may change them at once.
type Partitions interface {
	// MakePartitions makes the missing partitions from first to last.
	MakePartitions(ctx context.Context, first, last time.Time) error
	// DropPartitions drops the partitions of days before first.
	DropPartitions(ctx context.Context, first time.Time) error
	// DeleteBatches deletes the ids of up to atMost batches that were applied before the
	// given time, and gives the number of them.
	DeleteBatches(ctx context.Context, before time.Time, atMost int32) (int64, error)
}
