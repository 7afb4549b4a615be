// Package postgres opens a service's own database and applies its migrations.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Config holds the settings of a service's database.
type Config struct {
	URL          string `env:"VITAE_POSTGRES_URL,required" help:"The service's own database, with its own role."`
	MigrationURL string `env:"VITAE_POSTGRES_MIGRATION_URL" help:"The same database with the role that owns the tables. Unset: the role of VITAE_POSTGRES_URL owns them."`
	// Pooled reports whether URL points to a pooler in transaction mode, such as PgBouncer. If so,
	// MigrationURL must point to Postgres itself, and the role in URL must have timeouts.
	Pooled   bool  `env:"VITAE_POSTGRES_POOLED" help:"true if VITAE_POSTGRES_URL leads to a pooler in transaction mode."`
	MaxConns int32 `env:"VITAE_POSTGRES_MAX_CONNS" envDefault:"10" help:"Maximum number of connections."`
}

// Check returns an error if the configuration is unusable.
func (c Config) Check() error {
	if c.URL == "" || c.MaxConns < 1 {
		return errors.New("postgres: VITAE_POSTGRES_URL must be set, and VITAE_POSTGRES_MAX_CONNS be positive")
	}
	if c.Pooled && c.MigrationURL == "" {
		// Replicas migrate one after another by holding a session lock, which a pooler in transaction
		// mode does not preserve.
		return errors.New("postgres: VITAE_POSTGRES_POOLED requires VITAE_POSTGRES_MIGRATION_URL, which must lead to Postgres itself")
	}
	return nil
}

// Open opens a pool. If the database is slow to respond, Open waits until ctx is done, for at most
// half a minute.
func Open(ctx context.Context, c Config) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, errors.New("postgres: the URL is invalid") // pgx's error contains the password
	}
	cfg.MaxConns = c.MaxConns
	cfg.MinIdleConns = 1
	cfg.MaxConnLifetimeJitter = 5 * time.Minute
	cfg.ConnConfig.ConnectTimeout = connectTimeout
	cfg.ConnConfig.RuntimeParams["timezone"] = "UTC"
	if c.Pooled {
		throughPooler(cfg.ConnConfig)
	} else {
		for name, most := range timeouts {
			cfg.ConnConfig.RuntimeParams[name] = setting(most)
		}
	}
	cfg.ConnConfig.Tracer = traces()
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("postgres: open: %w", err)
	}
	if err := firstAnswer(ctx, pool.Ping); err != nil {
		pool.Close()
		return nil, fmt.Errorf("postgres: ping: %w", err)
	}
	if c.Pooled {
		if err := checkTimeouts(ctx, pool); err != nil {
			pool.Close()
			return nil, fmt.Errorf("postgres: %w", err)
		}
	}
	return pool, nil
}

// connectTimeout is the timeout of one attempt to connect.
const connectTimeout = 3 * time.Second

// patience limits how long a starting service waits for a database that is too busy to respond. A test
// shortens it.
var patience = defaultPatience

const defaultPatience = 30 * time.Second

// firstAnswer calls ping again while it times out. It immediately returns other errors, for example if
// the database rejects the connection or does not exist.
func firstAnswer(ctx context.Context, ping func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := ping(ctx)
		if err == nil || !pgconn.Timeout(err) || ctx.Err() != nil {
			return err
		}
	}
}

// Migrate applies the goose migrations in the root of migrations. Replicas that start at the same time
// migrate one after another. If the database is slow to respond, Migrate waits as Open does.
func Migrate(ctx context.Context, url string, migrations fs.FS) error {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return errors.New("postgres: the URL is invalid")
	}
	cfg.ConnectTimeout = connectTimeout
	db := stdlib.OpenDB(*cfg)
	defer db.Close()
	if err := firstAnswer(ctx, db.PingContext); err != nil {
		return fmt.Errorf("postgres: ping: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(5, 720)) // 5 seconds, 720 times: one hour
	if err != nil {
		return fmt.Errorf("postgres: migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("postgres: migrations: %w", err)
	}
	// Replicas of the previous release continue to write and may take the same locks in a different
	// order. Postgres then aborts one of the two transactions. An aborted migration can be repeated.
	for tries := 1; ; tries++ {
		_, err := provider.Up(ctx)
		if err == nil {
			return nil
		}
		if !isDeadlock(err) || tries == maxMigrationTries {
			return fmt.Errorf("postgres: migrate: %w", err)
		}
	}
}

// maxMigrationTries is the maximum number of tries for a migration that deadlocks. Each try waits for
// Postgres's deadlock_timeout, which is one second, so no pause is necessary.
const maxMigrationTries = 20

func isDeadlock(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "40P01"
}

// IsUnique reports whether err is a violation of the named unique constraint.
func IsUnique(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505" && pg.ConstraintName == constraint
}
