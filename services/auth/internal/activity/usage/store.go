package usage

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
)

// Store stores usage and the request log.
type Store interface {
	// Returns how much of a day's quota was used, or zero for an unknown account.
	Spent(ctx context.Context, accountID string, day time.Time) (int64, error)
	// Apply stores a batch once, either completely or not at all. It drops counts and entries of
	// unknown accounts. It returns ErrNoPartition if a partition is missing.
	Apply(ctx context.Context, b Batch, now time.Time) error
	// Usage lists counts, newest day first, without the account ids.
	Usage(ctx context.Context, l Listing) ([]Count, error)
	// Minutes lists an account's usage from the given minute onwards, oldest first, omitting minutes without usage.
	// It ignores all fields of the filter except the app and the key.
	Minutes(ctx context.Context, accountID string, f requestlog.Filter, since time.Time) ([]Minute, error)
	// Latencies lists an account's latency buckets, ordered by route, method and bucket.
	Latencies(ctx context.Context, accountID string, from, to time.Time) ([]Latencies, error)
	// Refusals counts an account's rejected requests, ordered by day, newest first, then by limit.
	Refusals(ctx context.Context, accountID string, from, to time.Time) ([]Refusals, error)
	// ApplicationReads lists the reads of applications from the given day onwards, ordered by application, then
	// newest day first.
	ApplicationReads(ctx context.Context, applicationIDs []string, since time.Time) ([]ApplicationRead, error)
	// AccountExists reports whether the account exists.
	AccountExists(ctx context.Context, id string) (bool, error)
}

// Partitions manages the log's partitions and deletes expired rows from other tables. Each Delete method deletes at
// most atMost rows older than the given time, and returns how many rows it deleted. Several replicas may call the
// methods concurrently.
type Partitions interface {
	// MakePartitions creates the missing partitions from first to last.
	MakePartitions(ctx context.Context, first, last time.Time) error
	// DropPartitions drops the partitions for days before first.
	DropPartitions(ctx context.Context, first time.Time) error
	// DeleteBatches deletes the ids of applied batches.
	DeleteBatches(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteRefusals deletes counts of rejected requests.
	DeleteRefusals(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteMinutes deletes usage by minute.
	DeleteMinutes(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteReads deletes reads of personal data.
	DeleteReads(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteApplicationReads deletes reads of applications.
	DeleteApplicationReads(ctx context.Context, before time.Time, atMost int32) (int64, error)
	// DeleteLatencies deletes errors and latency by route.
	DeleteLatencies(ctx context.Context, before time.Time, atMost int32) (int64, error)
}
