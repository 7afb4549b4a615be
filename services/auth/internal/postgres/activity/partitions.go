package activity

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// MakePartitions implements usage.Partitions. It calls an SQL function that runs with the privileges of the table
// owner. The same applies to dropping partitions. Each partition is dropped in a separate transaction, because
// dropping blocks everyone who reads or writes the log until the commit.
func (s *Usage) MakePartitions(ctx context.Context, first, last time.Time) error {
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		if _, err := s.DB.Pool.Exec(ctx, "SELECT make_request_log_partition($1)", day); err != nil {
			return db.ErrorOf("make a partition of the request log", err, nil)
		}
	}
	return nil
}

func (s *Usage) DropPartitions(ctx context.Context, first time.Time) error {
	for dropped := true; dropped; {
		if err := s.DB.Pool.QueryRow(ctx, "SELECT drop_request_log_partition($1)", first).Scan(&dropped); err != nil {
			return db.ErrorOf("drop a partition of the request log", err, nil)
		}
	}
	return nil
}

func (s *Usage) DeleteBatches(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.DB.Q.DeleteUsageBatches(ctx, sqlc.DeleteUsageBatchesParams{Before: before, AtMost: atMost})
	return n, db.ErrorOf("delete batches", err, nil)
}

func (s *Usage) DeleteRefusals(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.DB.Q.DeleteRefusals(ctx, sqlc.DeleteRefusalsParams{Before: before, AtMost: atMost})
	return n, db.ErrorOf("delete refusals", err, nil)
}

func (s *Usage) DeleteMinutes(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.DB.Q.DeleteUsageMinutes(ctx, sqlc.DeleteUsageMinutesParams{Before: before, AtMost: atMost})
	return n, db.ErrorOf("delete usage by minute", err, nil)
}

func (s *Usage) DeleteReads(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.DB.Q.DeleteConnectionReads(ctx, sqlc.DeleteConnectionReadsParams{Before: before, AtMost: atMost})
	return n, db.ErrorOf("delete reads", err, nil)
}

func (s *Usage) DeleteLatencies(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.DB.Q.DeleteRouteLatencies(ctx, sqlc.DeleteRouteLatenciesParams{Before: before, AtMost: atMost})
	return n, db.ErrorOf("delete latencies", err, nil)
}
