package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ usage.Partitions = (*Store)(nil)

// MakePartitions implements usage.Partitions. SQL functions of the owner make and drop
// partitions, each in a transaction of its own: a drop blocks all readers and writers of
// the log until it commits. sqlc knows no call for its effect alone.
func (s *Store) MakePartitions(ctx context.Context, first, last time.Time) error {
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		if _, err := s.pool.Exec(ctx, "SELECT make_request_log_partition($1)", day); err != nil {
			return errorOf("make a partition of the request log", err, nil)
		}
	}
	return nil
}

func (s *Store) DropPartitions(ctx context.Context, first time.Time) error {
	for dropped := true; dropped; {
		if err := s.pool.QueryRow(ctx, "SELECT drop_request_log_partition($1)", first).Scan(&dropped); err != nil {
			return errorOf("drop a partition of the request log", err, nil)
		}
	}
	return nil
}

func (s *Store) DeleteBatches(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.q.DeleteUsageBatches(ctx, sqlc.DeleteUsageBatchesParams{Before: before, AtMost: atMost})
	return n, errorOf("delete batches", err, nil)
}

func (s *Store) DeleteRefusals(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.q.DeleteRefusals(ctx, sqlc.DeleteRefusalsParams{Before: before, AtMost: atMost})
	return n, errorOf("delete refusals", err, nil)
}

func (s *Store) DeleteMinutes(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.q.DeleteUsageMinutes(ctx, sqlc.DeleteUsageMinutesParams{Before: before, AtMost: atMost})
	return n, errorOf("delete usage by minute", err, nil)
}

func (s *Store) DeleteReads(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.q.DeleteConnectionReads(ctx, sqlc.DeleteConnectionReadsParams{Before: before, AtMost: atMost})
	return n, errorOf("delete reads", err, nil)
}

func (s *Store) DeleteLatencies(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.q.DeleteRouteLatencies(ctx, sqlc.DeleteRouteLatenciesParams{Before: before, AtMost: atMost})
	return n, errorOf("delete latencies", err, nil)
}
