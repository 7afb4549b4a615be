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

// New makes a store over a migrated database.
func New(pool *pgxpool.Pool) *Store { return &Store{pool: pool, q: sqlc.New(pool)} }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return fault("ping", s.pool.Ping(ctx)) }

// tx runs do in a transaction that is committed when do returns nil.
func (s *Store) tx(ctx context.Context, do func(q *sqlc.Queries) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return do(s.q.WithTx(tx)) })
}

// fault names the operation in an error of the database, and tells one that is
// down from an answer. Errors of the domain pass unchanged.
func fault(op string, err error) error {
	if err == nil {
		return nil
	}
	if _, domain := errs.As(err); domain {
		return err
	}
	if hasCode(err, "22021") { // character_not_in_repertoire: a NUL in a text
		return errs.New(errs.Invalid, "INVALID_ARGUMENT", "A value holds a character that is not allowed.").WithCause(err)
	}
	return postgres.Unavailable(fmt.Errorf("auth store: %s: %w", op, err))
}

// notFound gives missing in place of the absence of a row.
func notFound(op string, err error, missing error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return missing
	}
	return fault(op, err)
}

// noParent reports whether err is a foreign key that points nowhere.
func noParent(err error) bool { return hasCode(err, "23503") }

func hasCode(err error, code string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == code
}
