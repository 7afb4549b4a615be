package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/grpcapi"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/sharing"
)

// Name is the service's caller name, as in its certificate.
const Name = "candidate"

// Config is what the service needs of its environment.
type Config struct {
	// Postgres is the service's own database.
	Postgres pkgpostgres.Config
	// Addr is where the service listens.
	Addr string `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103"`
	// AppURL is the address of the pages, for the links of public profiles.
	AppURL string `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081"`
}

// App is the running service.
type App struct {
	pool     *pgxpool.Pool
	profiles *profile.Service
	shared   *sharing.Service
}

// New migrates the database and opens the service on it. The caller closes it.
func New(ctx context.Context, cfg Config, log *slog.Logger) (*App, error) {
	if u, err := url.Parse(cfg.AppURL); err != nil || u.Scheme == "" || u.Host == "" {
		return nil, fmt.Errorf("candidate: VITAE_APP_URL must be an absolute URL")
	}
	if err := postgres.Migrate(ctx, cfg.Postgres.URL); err != nil {
		return nil, fmt.Errorf("candidate: %w", err)
	}
	pool, err := pkgpostgres.Open(ctx, cfg.Postgres)
	if err != nil {
		return nil, fmt.Errorf("candidate: %w", err)
	}
	app, err := assemble(pool, cfg)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("candidate: %w", err)
	}
	log.InfoContext(ctx, "candidate is ready to serve")
	return app, nil
}

func assemble(pool *pgxpool.Pool, cfg Config) (*App, error) {
	store := postgres.NewStore(pool)
	profiles, err := profile.NewService(store, clock.System{})
	if err != nil {
		return nil, err
	}
	shared, err := sharing.NewService(store, projection.NewPages(cfg.AppURL))
	if err != nil {
		return nil, err
	}
	return &App{pool: pool, profiles: profiles, shared: shared}, nil
}

// Register adds the service's methods to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) { grpcapi.Register(r, a.profiles, a.shared) }

// Ready reports why the service cannot answer now, nil if it can.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("candidate: postgres: %w", err)
	}
	return nil
}

// Close gives back what New opened.
func (a *App) Close(context.Context) error {
	a.pool.Close()
	return nil
}
