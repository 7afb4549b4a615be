package app

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	pgconfig "vitae.internal/pkg/postgres"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/grpcapi"
	"vitae.internal/services/partnercatalog/internal/job"
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
	pool      *pgxpool.Pool
	companies *company.Service
	jobs      *job.Service
	stop      context.CancelFunc
	work      sync.WaitGroup
}

// New migrates and opens the database and starts the workers. It returns when the
// part can serve.
func New(ctx context.Context, c Config, log *slog.Logger) (*App, error) {
	if err := postgres.Migrate(ctx, c.Postgres.URL); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	pool, err := pgconfig.Open(ctx, c.Postgres)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	app, err := assemble(pool, log)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	log.InfoContext(ctx, "database ready")
	return app, nil
}

func assemble(pool *pgxpool.Pool, log *slog.Logger) (*App, error) {
	store := postgres.NewStore(pool)
	companies, err := company.NewService(store, clock.System{})
	if err != nil {
		return nil, err
	}
	jobs, err := job.NewService(store, clock.System{})
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	a := &App{pool: pool, companies: companies, jobs: jobs, stop: stop}
	cleaner := job.NewCleaner(store, clock.System{}, log)
	a.work.Go(func() { cleaner.Run(ctx) })
	return a, nil
}

// Register adds the part's services to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) { grpcapi.Register(r, a.companies, a.jobs) }

// Ready reports whether the database answers.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("%s: database: %w", Name, err)
	}
	return nil
}

// Close ends the workers and gives the database connections back.
func (a *App) Close(context.Context) error {
	a.stop()
	a.work.Wait()
	a.pool.Close()
	return nil
}
