package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"

	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/postgres/activity"
	"vitae.internal/services/auth/internal/postgres/credentials"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/oauth"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/people"
	"vitae.internal/services/auth/internal/postgres/platform"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate applies all migrations to the database at url. The role in url becomes the tables' owner.
func Migrate(ctx context.Context, url string) error {
	return Prepare(ctx, pkgpostgres.Config{URL: url})
}

// Prepare applies all migrations. If the service's role does not own the tables, Prepare restricts it to adding rows
// to the audit log and the request log.
func Prepare(ctx context.Context, c pkgpostgres.Config) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("auth store: migrations: %w", err)
	}
	return c.Migrate(ctx, files, activity.AuditTable, activity.RequestLogTable)
}

// Stores holds the stores for the auth service's database.
type Stores struct {
	People      *people.People
	Sessions    *people.Sessions
	Passwords   *people.Passwords
	Passkeys    *people.Passkeys
	SignUps     *people.SignUps
	Guesses     *people.Guesses
	Deletions   *people.Deletions
	Exports     *people.Exports
	Accounts    *platform.Accounts
	Apps        *platform.Apps
	Teams       *platform.Teams
	Console     *platform.Console
	Connections *oauth.Connections
	Grants      *oauth.Grants
	States      *credentials.States
	Cleanup     *credentials.Cleanup
	Usage       *activity.Usage
	Audit       *activity.Audit
	Outbox      *outbox.Outbox
}

// New returns the stores for a database that has been migrated.
func New(pool *pgxpool.Pool) *Stores {
	d := &db.DB{Pool: pool, Q: sqlc.New(pool)}
	return &Stores{
		People: &people.People{DB: d}, Sessions: &people.Sessions{DB: d}, Passwords: &people.Passwords{DB: d},
		Passkeys: &people.Passkeys{DB: d}, SignUps: &people.SignUps{DB: d}, Guesses: &people.Guesses{DB: d},
		Deletions: &people.Deletions{DB: d}, Exports: &people.Exports{DB: d},
		Accounts: &platform.Accounts{DB: d}, Apps: &platform.Apps{DB: d}, Teams: &platform.Teams{DB: d}, Console: &platform.Console{DB: d},
		Connections: &oauth.Connections{DB: d}, Grants: &oauth.Grants{DB: d},
		States: &credentials.States{DB: d}, Cleanup: &credentials.Cleanup{DB: d},
		Usage: activity.NewUsage(d), Audit: &activity.Audit{DB: d},
		Outbox: &outbox.Outbox{DB: d},
	}
}
