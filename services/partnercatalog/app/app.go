package app

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"

	pgconfig "vitae.internal/pkg/postgres"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// Name is the part's caller name, as in its certificate.
const Name = "partnercatalog"

// Config is the part's configuration.
type Config struct {
	// Addr is where gRPC is served, host:port.
	Addr string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102"`
	// Postgres is the part's own database.
	Postgres pgconfig.Config
}

// App is the running part.
type App struct {
	pool *pgxpool.Pool
}

// New migrates and opens the database. It returns when the part can serve.
func New(ctx context.Context, c Config, log *slog.Logger) (*App, error) {
	if err := postgres.Migrate(ctx, c.Postgres.URL); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	pool, err := pgconfig.Open(ctx, c.Postgres)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	log.InfoContext(ctx, "database ready")
	return &App{pool: pool}, nil
}

// Register adds the part's services to a gRPC server: none yet, beside the
// health and reflection that every server has.
func (a *App) Register(grpc.ServiceRegistrar) {}

// Ready reports whether the database answers.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("%s: database: %w", Name, err)
	}
	return nil
}

// Close gives the database connections back.
func (a *App) Close(context.Context) error {
	a.pool.Close()
	return nil
}
