// Package db contains what the stores share: the connection pool, transactions, audit events, and the conversion of
// errors.
package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// DB is the auth service's database.
type DB struct {
	Pool *pgxpool.Pool
	Q    *sqlc.Queries
}

// Transaction is a transaction that can also write audit events.
type Transaction struct {
	// Queries runs statements in the transaction.
	Queries *sqlc.Queries
	events  *audit.Transaction
}

// Tx runs the function in a transaction and commits the transaction if the function returns nil. The operation in
// doing is added to errors that don't already name one.
func (d *DB) Tx(ctx context.Context, doing string, do func(t Transaction) error) error {
	events := audit.FromContext(ctx).Transaction()
	err := pgx.BeginFunc(ctx, d.Pool, func(tx pgx.Tx) error { return do(Transaction{d.Q.WithTx(tx), events}) })
	if err == nil {
		events.Committed()
	}
	return ErrorOf(doing, err, nil)
}

// InTime runs statements on one connection. They must have no effect after the time until, by Postgres's clock,
// because the caller has received a 503 response by then (behaviour: errors#late-requests-are-not-executed). The SQL
// function in_time compares the times.
func (d *DB) InTime(ctx context.Context, do func(q *sqlc.Queries, until time.Time) error) error {
	return d.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		until, err := postgres.Deadline(ctx, conn.Conn())
		if err != nil {
			return err
		}
		return do(sqlc.New(conn), until)
	})
}

// TxInTime runs the function in a transaction that either commits before the caller's deadline or not at all.
func (d *DB) TxInTime(ctx context.Context, doing string, do func(t Transaction) error) error {
	events := audit.FromContext(ctx).Transaction()
	err := d.Pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) (err error) {
		until, err := postgres.Deadline(ctx, conn.Conn())
		if err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				// If the rollback fails, the pool closes the connection, which also ends the transaction.
				_, _ = conn.Exec(ctx, "ROLLBACK")
			}
		}()
		if err := do(Transaction{sqlc.New(conn), events}); err != nil {
			return err
		}
		// Both statements are sent in one message. If a frozen server executes it too late, the comparison fails, so
		// the server skips the COMMIT.
		_, err = conn.Exec(ctx, "SELECT in_time('"+until.UTC().Format(time.RFC3339Nano)+"'); COMMIT", pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err == nil {
		events.Committed()
	}
	return ErrorOf(doing, err, nil)
}

// ErrorOf calls postgres.StoreError for this store.
func ErrorOf(doing string, err, missing error) error {
	return postgres.StoreError("auth store", doing, err, missing)
}

// NoParent reports whether err is a foreign key violation, which means that the parent row does not exist.
func NoParent(err error) bool { return HasCode(err, "23503") }

func HasCode(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}
