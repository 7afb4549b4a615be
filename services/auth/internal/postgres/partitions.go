package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/usage"
)

// The statements of this file are made in Go, not in a .sql file. The names and bounds of
// partitions belong to DDL, which takes no parameters, and sqlc reads no DDL as a query.
// Nothing from outside gets into the text: it holds days in fixed layouts. The lock and
// the list of partitions stand here too, since they serve only these statements.

var _ usage.Partitions = (*Store)(nil)

const (
	// partitionsLock is the advisory lock under which partitions are made and dropped.
	partitionsLock = 0x7669746165_01 // "vitae", 1
	// partitionWait bounds the wait for a lock: while a transaction waits for a lock of
	// the log, later readers and writers of the log wait behind it.
	partitionWait = "SET LOCAL lock_timeout = '2s'"
	// partitionLayout names a partition by its day.
	partitionLayout = "request_log_20060102"
	boundLayout     = "2006-01-02 15:04:05+00"
)

// MakePartitions implements usage.Partitions. It creates a partition as a table and then
// attaches it, which does not block readers and writers (Postgres manual, 5.11.2.2).
func (s *Store) MakePartitions(ctx context.Context, first, last time.Time) error {
	return s.changePartitions(ctx, func(tx pgx.Tx, there map[time.Time]bool) error {
		var ddl strings.Builder
		for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
			if there[day] {
				continue
			}
			name := day.Format(partitionLayout)
			fmt.Fprintf(&ddl, "CREATE TABLE %s (LIKE request_log INCLUDING ALL);\n", name)
			fmt.Fprintf(&ddl, "ALTER TABLE request_log ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s');\n",
				name, day.Format(boundLayout), day.AddDate(0, 0, 1).Format(boundLayout))
		}
		if ddl.Len() == 0 {
			return nil
		}
		_, err := tx.Exec(ctx, ddl.String(), pgx.QueryExecModeSimpleProtocol)
		return err
	})
}

// DropPartitions implements usage.Partitions. It drops each partition in a transaction of
// its own, since a drop blocks all readers and writers of the log until it commits.
func (s *Store) DropPartitions(ctx context.Context, first time.Time) error {
	for dropped := true; dropped; {
		dropped = false
		err := s.changePartitions(ctx, func(tx pgx.Tx, there map[time.Time]bool) error {
			for day := range there {
				if day.Before(first) {
					dropped = true
					_, err := tx.Exec(ctx, "DROP TABLE "+day.Format(partitionLayout))
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// changePartitions runs change with the days that have a partition. No other replica
// changes partitions meanwhile.
func (s *Store) changePartitions(ctx context.Context, change func(tx pgx.Tx, there map[time.Time]bool) error) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, partitionWait); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(partitionsLock)); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
			WHERE i.inhparent = 'request_log'::regclass`)
		if err != nil {
			return err
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		there := map[time.Time]bool{}
		for _, name := range names {
			if day, err := time.Parse(partitionLayout, name); err == nil { // other tables are left alone
				there[day] = true
			}
		}
		return change(tx, there)
	})
	return errorOf("partitions", err)
}

// DeleteBatches implements usage.Partitions.
func (s *Store) DeleteBatches(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.q.DeleteUsageBatches(ctx, sqlc.DeleteUsageBatchesParams{Before: before, AtMost: atMost})
	return n, errorOf("delete batches", err)
}
