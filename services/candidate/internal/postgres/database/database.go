// Package database provides what the stores of the candidate service share: the connection pool,
// the generated queries, transactions that write audit events, and the conversion of errors.
package database

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/outbox"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

// DB is the service's database.
type DB struct {
	Pool    *pgxpool.Pool
	Queries *sqlc.Queries
	// Audit stores the audit events that the auth service has not received yet.
	Audit *outbox.Outbox[*sqlc.Queries]
}

// New returns a DB that uses pool. The caller must close the pool.
func New(pool *pgxpool.Pool) (*DB, error) {
	if pool == nil {
		return nil, errors.New("candidate store: a pool is required")
	}
	d := &DB{Pool: pool, Queries: sqlc.New(pool)}
	var err error
	d.Audit, err = outbox.New(pool, d.Queries)
	return d, err
}

// Transaction is a transaction that can write audit events.
type Transaction = outbox.Transaction[*sqlc.Queries]

// InTransaction runs a function in a transaction, which it commits if the function returns nil.
// doing describes the transaction in error messages.
func (d *DB) InTransaction(ctx context.Context, doing string, do func(t Transaction) error) error {
	return ErrorOf(doing, d.Audit.InTransaction(ctx, do), nil)
}

// Change runs a function in a transaction, and writes the audit event that the function returns in
// the same transaction.
func (d *DB) Change(ctx context.Context, do func(q *sqlc.Queries) (*audit.About, error)) error {
	return ErrorOf("make an audited change", d.Audit.Change(ctx, do), nil)
}

// ErrorOf converts a database error in the same way as postgres.StoreError. It also converts
// violations of unique indexes.
func ErrorOf(doing string, err, missing error) error {
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
