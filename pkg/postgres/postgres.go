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

// Config is the configuration of a service's database.
type Config struct {
	URL          string `env:"VITAE_POSTGRES_URL,required" help:"The service's own database, with its own role."`
	MigrationURL string `env:"VITAE_POSTGRES_MIGRATION_URL" help:"The same database with the role that owns the tables. Unset: the role of VITAE_POSTGRES_URL owns them."`
	// Pooled means that URL leads to a pooler in transaction mode, such as PgBouncer. Then
	// MigrationURL must lead to Postgres itself, and the role of URL must have timeouts.
	Pooled   bool  `env:"VITAE_POSTGRES_POOLED" help:"true if VITAE_POSTGRES_URL leads to a pooler in transaction mode."`
	MaxConns int32 `env:"VITAE_POSTGRES_MAX_CONNS" envDefault:"10" help:"Largest number of connections."`
}

// Check rejects a configuration without a usable database.
func (c Config) Check() error {
	if c.URL == "" || c.MaxConns < 1 {
		return errors.New("postgres: VITAE_POSTGRES_URL must be set, and VITAE_POSTGRES_MAX_CONNS be positive")
	}
	if c.Pooled && c.MigrationURL == "" {
		// Replicas migrate one after the other with a lock of their session, which a pooler in
		// transaction mode does not keep.
		return errors.New("postgres: VITAE_POSTGRES_POOLED requires VITAE_POSTGRES_MIGRATION_URL, which must lead to Postgres itself")
	}
	return nil
}

// Open opens a pool. If the database is slow to answer, it waits until ctx ends, for at most half a
// minute.
func Open(ctx context.Context, c Config) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, errors.New("postgres: the URL is invalid") // the error of pgx contains the password
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

// patience is how long a starting service waits for a database that is too busy to answer. A test
// shortens it.
var patience = defaultPatience

const defaultPatience = 30 * time.Second

// firstAnswer retries attempts that time out. A database that rejects the connection or does not exist
// is reported immediately.
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

// Migrate applies the goose migrations in the root of migrations. Replicas that start at the same
// time migrate one after the other. It waits for a slow database like Open.
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
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(5, 720)) // seconds, times: an hour
	if err != nil {
		return fmt.Errorf("postgres: migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("postgres: migrations: %w", err)
	}
	// Replicas of the previous release keep writing and may take the same locks in another order.
	// Postgres then aborts one of the two. An aborted migration can be repeated.
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

// maxMigrationTries limits how often a migration that deadlocks is repeated. Each try waits for
// Postgres's deadlock_timeout, a second, so no pause is necessary.
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
