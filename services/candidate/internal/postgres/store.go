package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/outbox"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database at url to the newest schema. The role of url owns its
// tables.
func Migrate(ctx context.Context, url string) error { return Prepare(ctx, postgres.Config{URL: url}) }

// Prepare brings the database to the newest schema, and grants the service's role what
// it needs where the tables belong to another.
func Prepare(ctx context.Context, c postgres.Config) error {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("candidate migrations: %w", err)
	}
	return c.Migrate(ctx, root)
}

// Store implements the stores that the domain packages declare.
type Store struct {
	pool  *pgxpool.Pool
	q     *sqlc.Queries
	audit *outbox.Outbox[*sqlc.Queries]
}

var (
	_ profile.Store     = (*Store)(nil)
	_ application.Store = (*Store)(nil)
	_ delivery.Outbox   = (*Store)(nil)
)

// New makes a store on a pool, which stays the caller's.
func New(pool *pgxpool.Pool) (*Store, error) {
	if pool == nil {
		return nil, errors.New("candidate store: a pool is required")
	}
	s := &Store{pool: pool, q: sqlc.New(pool)}
	var err error
	s.audit, err = outbox.New(pool, s.q)
	return s, err
}

// Audit has the events of the audit log that auth has not confirmed.
func (s *Store) Audit() *outbox.Outbox[*sqlc.Queries] { return s.audit }

// transaction is a transaction that can write events of the audit log.
type transaction = outbox.Transaction[*sqlc.Queries]

// tx runs do in a transaction, and commits it if do returns nil. doing names the whole for
// an error that do has not named.
func (s *Store) tx(ctx context.Context, doing string, do func(t transaction) error) error {
	return errorOf(doing, s.audit.InTransaction(ctx, do), nil)
}

// changed runs do, which makes a change, and writes the event that it gives.
func (s *Store) changed(ctx context.Context, do func(q *sqlc.Queries) (*audit.About, error)) error {
	return errorOf("make an audited change", s.audit.Change(ctx, do), nil)
}

// plannedEachTime makes Postgres plan a statement for its parameters each time, not
// once for all. A plan that is good for most texts is bad for one that all applications
// hold. The statement is described
// once per connection, so a call still costs one round trip.
type plannedEachTime struct{ sqlc.DBTX }

func (p plannedEachTime) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return p.DBTX.Query(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}

func (p plannedEachTime) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return p.DBTX.QueryRow(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}

// errorOf is postgres.StoreError for this store. A row that exists already has its own error.
func errorOf(doing string, err, missing error) error {
	switch {
	case err == nil:
		return nil
	case postgres.IsUnique(err, "profiles_pkey"):
		return profile.ErrProfileExists
	case postgres.IsUnique(err, "profiles_username"):
		return profile.ErrUsernameTaken
	case postgres.IsUnique(err, "applications_once"):
		return application.ErrAlreadyApplied
	}
	return postgres.StoreError("candidate store", doing, err, missing)
}
