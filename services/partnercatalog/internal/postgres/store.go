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

// Migrate brings the database at url to the newest schema. The URL's role owns the tables.
func Migrate(ctx context.Context, url string) error { return Prepare(ctx, postgres.Config{URL: url}) }

// Prepare brings the database to the newest schema. If another role owns the tables, it grants the
// service's role the privileges that it needs.
func Prepare(ctx context.Context, c postgres.Config) error {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("partnercatalog migrations: %w", err)
	}
	return c.Migrate(ctx, root)
}

// Store persists the data of the domain packages.
type Store struct {
	pool  *pgxpool.Pool
	q     *sqlc.Queries
	audit *outbox.Outbox[*sqlc.Queries]
}

// New returns a store on a pool. The caller closes the pool.
func New(pool *pgxpool.Pool) (*Store, error) {
	if pool == nil {
		return nil, errors.New("partnercatalog store: a pool is required")
	}
	s := &Store{pool: pool, q: sqlc.New(pool)}
	var err error
	s.audit, err = outbox.New(pool, s.q)
	return s, err
}

// Audit returns the outbox with events that the audit log has not confirmed yet.
func (s *Store) Audit() *outbox.Outbox[*sqlc.Queries] { return s.audit }

type transaction = outbox.Transaction[*sqlc.Queries]

// tx runs do in a transaction, which commits if do returns nil. doing describes the operation in
// errors.
func (s *Store) tx(ctx context.Context, doing string, do func(t transaction) error) error {
	return errorOf(doing, s.audit.InTransaction(ctx, do), nil)
}

// changed runs do and writes the audit event that it returns.
func (s *Store) changed(ctx context.Context, do func(q *sqlc.Queries) (*audit.About, error)) error {
	return errorOf("make an audited change", s.audit.Change(ctx, do), nil)
}

// errorOf is postgres.StoreError for this store.
func errorOf(doing string, err, missing error) error {
	return postgres.StoreError("partnercatalog store", doing, err, missing)
}
