package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/sharing"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database at url to the newest schema.
func Migrate(ctx context.Context, url string) error {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("candidate migrations: %w", err)
	}
	return postgres.Migrate(ctx, url, root)
}

// Store implements the stores that the domain packages declare.
type Store struct {
	pool *pgxpool.Pool
	q    *sqlc.Queries
	// planned plans each statement for its own parameters.
	planned *sqlc.Queries
}

var (
	_ profile.Store     = (*Store)(nil)
	_ sharing.Store     = (*Store)(nil)
	_ application.Store = (*Store)(nil)
	_ delivery.Outbox   = (*Store)(nil)
)

// NewStore makes a store on a pool, which stays the caller's.
func NewStore(pool *pgxpool.Pool) *Store {
	return &Store{pool: pool, q: sqlc.New(pool), planned: sqlc.New(plannedEachTime{pool})}
}

// inTx runs do in a transaction, which is committed if do returns no error.
func (s *Store) inTx(ctx context.Context, do func(q *sqlc.Queries) error) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return do(s.q.WithTx(tx)) })
	// What do returns is an error of the domain already.
	if _, ok := errs.As(err); ok {
		return err
	}
	return fault("transaction", err, nil)
}

// plannedEachTime keeps Postgres from planning a statement once for all
// parameters. A plan that is good for most jobs and most texts is bad for a job
// with a million applications or a text that all of them hold. The statement is
// described once for a connection, so it still costs one round trip.
type plannedEachTime struct{ sqlc.DBTX }

func (p plannedEachTime) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return p.DBTX.Query(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}

func (p plannedEachTime) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return p.DBTX.QueryRow(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}

// fault turns an error of a statement into one of the domain: missing stands for
// no row.
func fault(doing string, err, missing error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows) && missing != nil:
		return missing
	case postgres.IsUnique(err, "profiles_pkey"):
		return profile.ErrProfileExists
	case postgres.IsUnique(err, "profiles_username"):
		return profile.ErrUsernameTaken
	case postgres.IsUnique(err, "applications_once"):
		return application.ErrAlreadyApplied
	}
	return fmt.Errorf("candidate store: %s: %w", doing, postgres.Unavailable(err))
}
