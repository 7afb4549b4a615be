// Package postgres stores the candidate service's data in its own database. There is one package
// per kind of data, and all packages share one schema. The statements are in queries and the schema
// is in migrations; sqlc generates package sqlc from both.
//
// It contains no business rules and does not decide who may read a row. Queries for public pages
// and references never read private columns (queries/people.sql).
package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/postgres/applications"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/persondata"
	"vitae.internal/services/candidate/internal/postgres/profiles"
	"vitae.internal/services/candidate/internal/postgres/resumes"
	"vitae.internal/services/candidate/internal/postgres/sharing"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate updates the schema of the database at url. The database role in url must own the tables.
func Migrate(ctx context.Context, url string) error { return Prepare(ctx, postgres.Config{URL: url}) }

// Prepare updates the schema. If the tables belong to a different role, it also grants the
// service's role its privileges.
func Prepare(ctx context.Context, c postgres.Config) error {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("candidate migrations: %w", err)
	}
	return c.Migrate(ctx, root)
}

// Stores holds one store for each kind of data.
type Stores struct {
	*database.DB
	Profiles     *profiles.Store
	Sharing      *sharing.Store
	Applications *applications.Store
	Resumes      *resumes.Store
	PersonData   *persondata.Store
}

// New returns the stores, which use pool. The caller must close pool.
func New(pool *pgxpool.Pool) (*Stores, error) {
	db, err := database.New(pool)
	if err != nil {
		return nil, err
	}
	return &Stores{
		DB: db, Profiles: profiles.New(db), Sharing: sharing.New(db), Applications: applications.New(db), Resumes: resumes.New(db), PersonData: persondata.New(db),
	}, nil
}
