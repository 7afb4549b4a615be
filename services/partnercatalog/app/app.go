package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/relay"
	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	pkgpostgres "vitae.internal/pkg/postgres"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/partnercatalog/internal/grpcapi"
	"vitae.internal/services/partnercatalog/internal/job"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// Name is the name of the service in its certificate and in logs.
const Name = "partnercatalog"

// authName is the certificate name of the auth service, which stores the audit log.
const authName = "auth"

// App is the running service.
type App struct {
	pool  *pgxpool.Pool
	store *postgres.Store
	auth  *grpc.ClientConn
	api   grpcapi.API
	stop  func()
}

// New migrates and opens the database and starts the background jobs. It does not wait for the auth
// service, which it calls with identity.
func New(ctx context.Context, c Config, log *slog.Logger, identity *mtls.Identity) (*App, error) {
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
	conn, err := daemon.Dial(c.AuthAddr, authName, identity, log)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	app, err := assemble(pool, conn, log)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("%s: %w", Name, errors.Join(err, conn.Close()))
	}
	log.InfoContext(ctx, "database ready")
	return app, nil
}

func assemble(pool *pgxpool.Pool, conn *grpc.ClientConn, log *slog.Logger) (*App, error) {
	pkgpostgres.Expose(Name, pool)
	store, err := postgres.New(pool)
	if err != nil {
		return nil, err
	}
	api, err := grpcapi.New(store, clock.System{})
	if err != nil {
		return nil, err
	}
	events, err := relay.NewJob(relay.Config{Outbox: store.Audit(), Auth: authv1.NewAuditServiceClient(conn), Log: log})
	if err != nil {
		return nil, err
	}
	stop := background.Start(log, events, job.CleanUpJob(store, clock.System{}),
		background.Measure(func(ctx context.Context) (background.Sizes, error) {
			size, err := store.Audit().Size(ctx)
			return background.Sizes{"partnercatalog_audit": size}, err
		}))
	return &App{pool: pool, store: store, auth: conn, api: api, stop: stop}, nil
}

// Audit returns the outbox for audit events.
func (a *App) Audit() audit.Recorder { return a.store.Audit() }

// Register registers the gRPC services.
func (a *App) Register(r grpc.ServiceRegistrar) { a.api.Register(r) }

// Ready returns nil if the database responds.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("%s: database: %w", Name, err)
	}
	return nil
}

// Close stops the background jobs and closes all connections.
func (a *App) Close(context.Context) error {
	a.stop()
	a.pool.Close()
	return a.auth.Close()
}
