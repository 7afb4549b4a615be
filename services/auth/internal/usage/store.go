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
	// Usage lists counts, newest day first. The account of the counts is left empty.
	Usage(ctx context.Context, l Listing) ([]Count, error)
	// Minutes lists the usage of an account from a minute on, oldest first, without the
	// minutes that have none. Of the filter, it takes app and key.
	Minutes(ctx context.Context, accountID string, f Filter, since time.Time) ([]Minute, error)
	// Latencies lists the buckets of an account by route, method and bucket.
	Latencies(ctx context.Context, accountID string, from, to time.Time) ([]Latencies, error)
	// Refusals lists the refusals of an account, newest day first, then by limit.
	Refusals(ctx context.Context, accountID string, from, to time.Time) ([]Refusals, error)
	// Requests returns a page of the log.
	Requests(ctx context.Context, q Query) (Page, error)
	// Request finds a request by its id, if it came in between two times.
	Request(ctx context.Context, accountID, requestID string, from, to time.Time) (e Entry, found bool, err error)
	// ApplicationReads lists the reads of applications from a day on, by application, then
	// newest day first.
	ApplicationReads(ctx context.Context, applicationIDs []string, since time.Time) ([]ApplicationRead, error)
	// AccountExists reports whether there is such an account.
	AccountExists(ctx context.Context, id string) (bool, error)
}

// Partitions are those of the log. What is kept beside the log, they delete up to atMost
// rows of, older than a time, and give how many they were. Several replicas may do so at
// once.
type Partitions interface {
	// MakePartitions makes the missing partitions from first to last.
	MakePartitions(ctx context.Context, first, last time.Time) error
	// DropPartitions drops the partitions of days before first.
	DropPartitions(ctx context.Context, first time.Time) error
	// DeleteBatches deletes the ids of applied batches.
	DeleteBatches(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteRefusals deletes how often limits have refused.
	DeleteRefusals(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteMinutes deletes usage by minute.
	DeleteMinutes(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteReads deletes what apps have read of people.
	DeleteReads(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteApplicationReads deletes who looked at applications.
	DeleteApplicationReads(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteLatencies deletes errors and latency by route.
	DeleteLatencies(ctx context.Context, before time.Time, atMost int32) (int64, error)
}
