package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database at url to the newest migration. The role of url owns its
// tables.
func Migrate(ctx context.Context, url string) error { return Prepare(ctx, postgres.Config{URL: url}) }

// Prepare brings the database to the newest migration. Where the service's role is
// another than the owner of the tables, that role can only add to the audit log and to the
// request log.
func Prepare(ctx context.Context, c postgres.Config) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("auth store: migrations: %w", err)
	}
	return c.Migrate(ctx, files, AuditTable, requestLogTable)
}

// Store is auth's database.
type Store struct {
	pool *pgxpool.Pool
	q    *sqlc.Queries
	scan scanLimits
}

// New makes a Store on a migrated database.
func New(pool *pgxpool.Pool) (*Store, error) {
	if pool == nil {
		return nil, errors.New("auth store: a pool is required")
	}
	return &Store{pool: pool, q: sqlc.New(pool), scan: usualScan}, nil
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return errorOf("ping", s.pool.Ping(ctx), nil) }

// AuditIsAppendOnly reports whether the service's role can neither change nor delete what
// the audit log holds.
func (s *Store) AuditIsAppendOnly(ctx context.Context) (bool, error) {
	only, err := postgres.IsAppendOnly(ctx, s.pool, AuditTable)
	return only, errorOf("privileges on the audit log", err, nil)
}

// transaction is a transaction that can write events of the audit log.
type transaction struct {
	// Queries are the statements, in the transaction.
	Queries *sqlc.Queries
	events  *audit.Transaction
}

// tx runs do in a transaction, and commits it if do returns nil. doing names the whole for
// an error that do has not named.
func (s *Store) tx(ctx context.Context, doing string, do func(t transaction) error) error {
	events := audit.FromContext(ctx).Transaction()
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return do(transaction{s.q.WithTx(tx), events}) })
	if err == nil {
		events.Committed()
	}
	return errorOf(doing, err, nil)
}

// inTime runs statements on a connection. until is the time by Postgres's clock after
// which they must have no effect: by then the caller was answered 503
// (behaviour: errors#late-requests-are-not-executed). The SQL function in_time
// compares.
func (s *Store) inTime(ctx context.Context, do func(q *sqlc.Queries, until time.Time) error) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		until, err := postgres.Deadline(ctx, conn.Conn())
		if err != nil {
			return err
		}
		return do(sqlc.New(conn), until)
	})
}

// txInTime runs do in a transaction that commits before the caller's deadline or not at
// all.
func (s *Store) txInTime(ctx context.Context, doing string, do func(t transaction) error) error {
	events := audit.FromContext(ctx).Transaction()
	err := s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) (err error) {
		until, err := postgres.Deadline(ctx, conn.Conn())
		if err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				// If this fails, the pool closes the connection, which ends the transaction too.
				_, _ = conn.Exec(ctx, "ROLLBACK")
			}
		}()
		if err := do(transaction{sqlc.New(conn), events}); err != nil {
			return err
		}
		// One message with both statements: a COMMIT that waits in the buffers of a frozen
		// server runs only if the comparison before it succeeds.
		_, err = conn.Exec(ctx, "SELECT in_time('"+until.UTC().Format(time.RFC3339Nano)+"'); COMMIT", pgx.QueryExecModeSimpleProtocol)
		return err
	})
	if err == nil {
		events.Committed()
	}
	return errorOf(doing, err, nil)
}

// errorOf is postgres.StoreError for this store.
func errorOf(doing string, err, missing error) error {
	return postgres.StoreError("auth store", doing, err, missing)
}

// noParent reports whether err is a foreign key to a row that does not exist.
func noParent(err error) bool { return hasCode(err, "23503") }

func hasCode(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}
