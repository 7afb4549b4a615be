package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/catalog"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/grpcapi"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/resume"
	"vitae.internal/services/candidate/internal/sharing"
)

// Name is the service's caller name, as in its certificate.
const Name = "candidate"

// partnerCatalog is the certificate name of the service that has the jobs.
const partnerCatalog = "partnercatalog"

// Config is what the service needs of its environment.
type Config struct {
	// Postgres is the service's own database.
	Postgres pkgpostgres.Config
	// Addr is where the service listens.
	Addr string `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103"`
	// PartnerCatalogAddr is where service partnercatalog is.
	PartnerCatalogAddr string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102"`
	// AppURL is the address of the pages, for the links of public profiles.
	AppURL string `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081"`
	// BaseURL is the address of the REST edge, for the addresses of resumes.
	BaseURL string `env:"VITAE_BASE_URL" envDefault:"http://127.0.0.1:8080"`
	// BlobURL is the bucket of the resumes, as gocloud.dev/blob reads it:
	// file:///folder, or s3://name with the options of its driver.
	BlobURL string `env:"VITAE_BLOB_URL" envDefault:"file:///var/lib/vitae/resumes"`
	// BlobSigningKey signs the addresses of a file bucket, the same on every replica:
	// base64 of at least 32 random bytes. Other buckets need none.
	BlobSigningKey string `env:"VITAE_BLOB_SIGNING_KEY"`
}

// App is the running service.
type App struct {
	pool     *pgxpool.Pool
	catalog  *grpc.ClientConn
	bucket   *blobs.Bucket
	services grpcapi.Services
	stop     context.CancelFunc
	work     sync.WaitGroup
}

// New migrates the database, opens the service on it and starts its workers. It
// does not wait for partnercatalog, which it calls with the identity. The caller
// closes it.
func New(ctx context.Context, cfg Config, log *slog.Logger, identity *mtls.Identity) (*App, error) {
	if u, err := url.Parse(cfg.AppURL); err != nil || u.Scheme == "" || u.Host == "" {
		return nil, fmt.Errorf("candidate: VITAE_APP_URL must be an absolute URL")
	}
	if err := postgres.Migrate(ctx, cfg.Postgres.URL); err != nil {
		return nil, fmt.Errorf("candidate: %w", err)
	}
	a := &App{stop: func() {}}
	if err := a.open(ctx, cfg, log, identity); err != nil {
		return nil, fmt.Errorf("candidate: %w", errors.Join(err, a.Close(ctx)))
	}
	log.InfoContext(ctx, "candidate is ready to serve")
	return a, nil
}

func (a *App) open(ctx context.Context, cfg Config, log *slog.Logger, identity *mtls.Identity) (err error) {
	if a.pool, err = pkgpostgres.Open(ctx, cfg.Postgres); err != nil {
		return err
	}
	if a.catalog, err = grpcx.Dial(cfg.PartnerCatalogAddr, partnerCatalog, identity, grpcx.WithBreaker(log)); err != nil {
		return err
	}
	a.bucket, err = blobs.Open(ctx, blobs.Config{URL: cfg.BlobURL, SigningKey: cfg.BlobSigningKey, BaseURL: cfg.BaseURL})
	if err != nil {
		return err
	}
	store, jobs := postgres.NewStore(a.pool), catalog.NewClient(a.catalog)
	totals, err := delivery.NewWorker(store, jobs, log)
	if err != nil {
		return err
	}
	if a.services.Profiles, err = profile.NewService(store, clock.System{}); err != nil {
		return err
	}
	if a.services.Shared, err = sharing.NewService(store, projection.NewPages(cfg.AppURL)); err != nil {
		return err
	}
	if a.services.Applications, err = application.NewService(store, jobs, totals, clock.System{}); err != nil {
		return err
	}
	if a.services.Resumes, err = resume.NewService(store, a.bucket, clock.System{}, log); err != nil {
		return err
	}
	if a.services.Details, err = detail.NewService(store, a.services.Resumes); err != nil {
		return err
	}
	a.start(totals.Run, a.services.Resumes.Run)
	return nil
}

// start runs the workers until Close.
func (a *App) start(workers ...func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	a.stop = stop
	for _, run := range workers {
		a.work.Go(func() { run(ctx) })
	}
}

// Register adds the service's methods to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) { grpcapi.Register(r, a.services) }

// Ready reports why the service cannot answer now, nil if it can.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("candidate: postgres: %w", err)
	}
	return nil
}

// Close stops the workers and gives back what New opened.
func (a *App) Close(context.Context) error {
	a.stop()
	a.work.Wait()
	var err error
	if a.catalog != nil {
		err = a.catalog.Close()
	}
	if a.bucket != nil {
		err = errors.Join(err, a.bucket.Close())
	}
	if a.pool != nil {
		a.pool.Close()
	}
	return err
}
