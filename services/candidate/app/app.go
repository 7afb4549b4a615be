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
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/picture"
	pkgpostgres "vitae.internal/pkg/postgres"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/blobs"
	authclient "vitae.internal/services/candidate/internal/clients/auth"
	"vitae.internal/services/candidate/internal/clients/cvrender"
	catalogclient "vitae.internal/services/candidate/internal/clients/partnercatalog"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/grpcapi"
	"vitae.internal/services/candidate/internal/newprofile"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/resume"
	"vitae.internal/services/candidate/internal/sharing"
)

// Name is the service's caller name, as in its certificate.
const Name = "candidate"

// App is the running service.
type App struct {
	pool    *pgxpool.Pool
	stores  *postgres.Stores
	catalog *grpc.ClientConn
	auth    *grpc.ClientConn
	// renderer is the connection to the cvrender service, which renders the PDFs in exports.
	renderer *grpc.ClientConn
	bucket   *blobs.Bucket
	accounts *authclient.Client
	api      grpcapi.API
	stop     func()
}

// New migrates the database, connects to it and starts the workers. It does not wait for the other
// services. It calls them with the given identity. The caller must close the App.
func New(ctx context.Context, cfg Config, log *slog.Logger, identity *mtls.Identity) (*App, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	if err := postgres.Prepare(ctx, cfg.Postgres); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	a := &App{stop: func() {}}
	if err := a.open(ctx, cfg, log, identity); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, errors.Join(err, a.Close(ctx)))
	}
	log.InfoContext(ctx, "candidate is ready to serve")
	return a, nil
}

// open opens the connections and assembles the service.
func (a *App) open(ctx context.Context, cfg Config, log *slog.Logger, identity *mtls.Identity) (err error) {
	if a.pool, err = pkgpostgres.Open(ctx, cfg.Postgres); err != nil {
		return err
	}
	pkgpostgres.Expose(Name, a.pool)
	if a.catalog, err = daemon.Dial(cfg.PartnerCatalogAddr, "partnercatalog", identity, log); err != nil {
		return err
	}
	if a.auth, err = daemon.Dial(cfg.AuthAddr, "auth", identity, log); err != nil {
		return err
	}
	if a.renderer, err = daemon.Dial(cfg.CVRenderAddr, "cvrender", identity, log); err != nil {
		return err
	}
	a.accounts = authclient.New(a.auth)
	if a.bucket, err = blobs.Open(ctx, cfg.bucket()); err != nil {
		return err
	}
	if a.stores, err = postgres.New(a.pool); err != nil {
		return err
	}
	return a.assemble(cfg, log)
}

// assemble creates the use cases and starts the workers.
func (a *App) assemble(cfg Config, log *slog.Logger) error {
	postings := catalogclient.New(a.catalog)
	totals, err := delivery.NewWorker(delivery.Config{Outbox: a.stores.Applications, Catalog: postings})
	if err != nil {
		return err
	}
	u, clk := &a.api, clock.System{}
	if err := a.aboutPeople(u, cfg, clk); err != nil {
		return err
	}
	u.Applications, err = application.NewService(application.Config{Store: a.stores.Applications, Catalog: postings, Counted: totals, Clock: clk})
	if err != nil {
		return err
	}
	if u.Applicants, err = applicant.NewService(applicant.Config{Store: a.stores.Applications, Jobs: postings, Reads: a.accounts}); err != nil {
		return err
	}
	if u.Resumes, err = resume.NewService(resume.Config{Store: a.stores.Resumes, Files: a.bucket, Clock: clk, Log: log}); err != nil {
		return err
	}
	if u.Details, err = detail.NewService(detail.Config{Store: a.stores.Applications, Links: u.Resumes}); err != nil {
		return err
	}
	erasures, err := erasure.NewService(a.stores.PersonData, a.bucket, a.accounts)
	if err != nil {
		return err
	}
	if err := a.personData(u, log); err != nil {
		return err
	}
	events, err := relay.NewJob(relay.Config{Outbox: a.stores.Audit, Auth: authv1.NewAuditServiceClient(a.auth), Log: log})
	if err != nil {
		return err
	}
	a.stop = background.Start(log, totals.Job(), events, u.Resumes.CleanUpJob(), u.Exports.Job(), u.NewProfiles.Job(), erasures.Job(), background.Measure(a.stores.Applications.Outboxes()))
	return nil
}

// aboutPeople creates the use cases for profiles, CVs and photos.
func (a *App) aboutPeople(u *grpcapi.API, cfg Config, clk clock.Clock) error {
	pages, err := projection.NewPages(cfg.AppURL)
	if err != nil {
		return err
	}
	pictures := picture.NewEncoder()
	if u.Profiles, err = profile.NewService(profile.Config{Store: a.stores.Profiles, Pictures: pictures, Clock: clk}); err != nil {
		return err
	}
	if u.NewProfiles, err = newprofile.NewService(a.accounts, u.Profiles); err != nil {
		return err
	}
	if u.Editor, err = profile.NewEditor(profile.EditorConfig{Store: a.stores.Profiles, Profiles: u.Profiles, Clock: clk}); err != nil {
		return err
	}
	if u.Photos, err = photo.NewService(a.stores.Sharing); err != nil {
		return err
	}
	u.Shared, err = sharing.NewService(sharing.Config{Store: a.stores.Sharing, Pages: pages})
	return err
}

// personData creates the use cases for exports. They depend on the other use cases in u.
func (a *App) personData(u *grpcapi.API, log *slog.Logger) (err error) {
	u.Exports, err = export.NewService(export.Config{
		Store: a.stores.PersonData, Profiles: a.stores.Profiles, Files: a.bucket, Account: a.accounts, Renderer: cvrender.New(a.renderer),
		Shared: u.Shared, Applied: u.Applicants, Photos: u.Photos, Clock: clock.System{}, Log: log,
	})
	return err
}

// Audit returns the recorder that stores audit events until the auth service has received them.
func (a *App) Audit() audit.Recorder { return a.stores.Audit }

// Sessions returns the resolver of browser sessions.
func (a *App) Sessions() grpcserver.Sessions { return a.accounts }

// Register adds the service's methods to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) { a.api.Register(r) }

// Ready returns an error if the service cannot currently serve requests.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("%s: postgres: %w", Name, err)
	}
	return nil
}

// Close stops the workers and closes the connections.
func (a *App) Close(context.Context) error {
	a.stop()
	var err error
	for _, conn := range []*grpc.ClientConn{a.catalog, a.auth, a.renderer} {
		if conn != nil {
			err = errors.Join(err, conn.Close())
		}
	}
	if a.bucket != nil {
		err = errors.Join(err, a.bucket.Close())
	}
	if a.pool != nil {
		a.pool.Close()
	}
	return err
}
