package postgres

import (
	"context"
	"embed"
	"io/fs"

	"vitae.internal/pkg/postgres"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrate brings the database at url to the newest migration.
func Migrate(ctx context.Context, url string) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	return postgres.Migrate(ctx, url, migrations)
}
