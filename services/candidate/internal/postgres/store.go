package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/postgres"
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

// Store implements profile.Store and sharing.Store.
type Store struct {
	q *sqlc.Queries
}

var (
	_ profile.Store = (*Store)(nil)
	_ sharing.Store = (*Store)(nil)
)

// NewStore makes a store on a pool, which stays the caller's.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{q: sqlc.New(pool)} }

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
	}
	return fmt.Errorf("candidate store: %s: %w", doing, postgres.Unavailable(err))
}
