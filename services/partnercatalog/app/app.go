package app

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/grpcapi"
	"vitae.internal/services/partnercatalog/internal/job"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// Name is the part's caller name, as in its certificate.
const Name = "partnercatalog"

// App is the running part.
type App struct {
	pool *pgxpool.Pool
	api  *grpcapi.API
	stop context.CancelFunc
	work sync.WaitGroup
}

// New migrates and opens the database and starts the workers. It returns when the
// part can serve.
func New(ctx context.Context, c Config, log *slog.Logger) (*App, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	if err := postgres.Prepare(ctx, c.Postgres); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	pool, err := pkgpostgres.Open(ctx, c.Postgres)
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
	store, err := postgres.New(pool)
	if err != nil {
		return nil, err
	}
	var useCases grpcapi.Config
	if useCases.Companies, err = company.NewService(company.Config{Store: store, Clock: clock.System{}}); err != nil {
		return nil, err
	}
	if useCases.Jobs, err = job.NewService(job.Config{Store: store, Clock: clock.System{}}); err != nil {
		return nil, err
	}
	cleanUp, err := job.NewCleanUpJob(job.CleanUpConfig{Store: store, Clock: clock.System{}, Log: log})
	if err != nil {
		return nil, err
	}
	api, err := grpcapi.New(useCases)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	a := &App{pool: pool, api: api, stop: stop}
	a.work.Go(func() { cleanUp.Run(ctx) })
	return a, nil
}

// Audit takes the events of calls: this part keeps none itself.
func (a *App) Audit() audit.Recorder { return nil }

// Register adds the part's services to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) { a.api.Register(r) }

// Ready reports whether the database answers.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("%s: database: %w", Name, err)
	}
	return nil
}

// Close stops the workers and closes the connections to the database.
func (a *App) Close(context.Context) error {
	a.stop()
	a.work.Wait()
	a.pool.Close()
	return nil
}
