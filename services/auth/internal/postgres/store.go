package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

//go:embed migrations/*.sql
var embedded embed.FS

// Migrate brings the database at url to the newest migration.
func Migrate(ctx context.Context, url string) error {
	files, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return fmt.Errorf("auth store: migrations: %w", err)
	}
	return postgres.Migrate(ctx, url, files)
}

// Store is auth's database.
type Store struct {
	pool *pgxpool.Pool
	q    *sqlc.Queries
}

// New makes a Store on a migrated database.
func New(pool *pgxpool.Pool) (*Store, error) {
	if pool == nil {
		return nil, errors.New("auth store: a pool is required")
	}
	return &Store{pool: pool, q: sqlc.New(pool)}, nil
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return errorOf("ping", s.pool.Ping(ctx)) }

// tx runs do in a transaction, and commits it if do returns nil.
func (s *Store) tx(ctx context.Context, do func(q *sqlc.Queries) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return do(s.q.WithTx(tx)) })
}

// errorOf adds the operation to an error of the database, and makes it Unavailable if the
// database is down. It leaves errors of the domain unchanged.
func errorOf(op string, err error) error {
	if err == nil {
		return nil
	}
	if _, domain := errs.As(err); domain {
		return err
	}
	return postgres.Unavailable(fmt.Errorf("auth store: %s: %w", op, err))
}

// notFound gives missing if there is no row.
func notFound(op string, err error, missing error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return missing
	}
	return errorOf(op, err)
}

// noParent reports whether err is a foreign key to a row that does not exist.
func noParent(err error) bool { return hasCode(err, "23503") }

func hasCode(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}
