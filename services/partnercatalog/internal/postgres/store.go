package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/outbox"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/partnercatalog/internal/postgres/sqlc"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate migrates the database at url to the newest schema. The role in url owns the tables.
func Migrate(ctx context.Context, url string) error { return Prepare(ctx, postgres.Config{URL: url}) }

// Prepare migrates the database to the newest schema. If a different role owns the tables, Prepare
// grants the service's role the privileges that it needs.
func Prepare(ctx context.Context, c postgres.Config) error {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("partnercatalog migrations: %w", err)
	}
	return c.Migrate(ctx, root)
}

// Store stores the data of the domain packages.
type Store struct {
	pool  *pgxpool.Pool
	q     *sqlc.Queries
	audit *outbox.Outbox[*sqlc.Queries]
}

// New returns a Store that uses pool. The caller must close the pool.
func New(pool *pgxpool.Pool) (*Store, error) {
	if pool == nil {
		return nil, errors.New("partnercatalog store: a pool is required")
	}
	s := &Store{pool: pool, q: sqlc.New(pool)}
	var err error
	s.audit, err = outbox.New(pool, s.q)
	return s, err
}

// Audit returns the outbox, which contains the events that the auth service has not confirmed yet.
func (s *Store) Audit() *outbox.Outbox[*sqlc.Queries] { return s.audit }

type transaction = outbox.Transaction[*sqlc.Queries]

// tx runs do in a transaction, which commits if do returns nil. doing describes the operation in
// error messages.
func (s *Store) tx(ctx context.Context, doing string, do func(t transaction) error) error {
	return errorOf(doing, s.audit.InTransaction(ctx, do), nil)
}

// changed runs do and writes the audit event that do returns.
func (s *Store) changed(ctx context.Context, do func(q *sqlc.Queries) (*audit.About, error)) error {
	return errorOf("make an audited change", s.audit.Change(ctx, do), nil)
}

// errorOf calls postgres.StoreError for this store.
func errorOf(doing string, err, missing error) error {
	return postgres.StoreError("partnercatalog store", doing, err, missing)
}
