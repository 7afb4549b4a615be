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
	"vitae.internal/services/candidate/internal/catalog"
	"vitae.internal/services/candidate/internal/delivery"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/grpcapi"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/readcount"
	"vitae.internal/services/candidate/internal/resume"
	"vitae.internal/services/candidate/internal/sessions"
	"vitae.internal/services/candidate/internal/sharing"
)

// Name is the service's caller name, as in its certificate.
const Name = "candidate"

const (
	// partnerCatalog is the certificate name of the service that owns the jobs.
	partnerCatalog = "partnercatalog"
	// auth is that of the service that keeps the audit log and the accounts of people, and knows who
	// is signed in.
	auth = "auth"
	// cvRender is that of the service that makes PDFs.
	cvRender = "cvrender"
)

// App is the running service.
type App struct {
	pool    *pgxpool.Pool
	store   *postgres.Store
	catalog *grpc.ClientConn
	auth    *grpc.ClientConn
	// renderer is the connection to the service that makes PDFs, for exports.
	renderer *grpc.ClientConn
	bucket   *blobs.Bucket
	sessions *sessions.Client
	api      *grpcapi.API
	stop     func()
}

// New migrates the database, opens the service on it and starts its workers. It does
// not wait for partnercatalog, which it calls with the identity. The caller closes it.
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

// open opens what the service stands on, and assembles it.
func (a *App) open(ctx context.Context, cfg Config, log *slog.Logger, identity *mtls.Identity) (err error) {
	if a.pool, err = pkgpostgres.Open(ctx, cfg.Postgres); err != nil {
		return err
	}
	pkgpostgres.Expose(Name, a.pool)
	if a.catalog, err = daemon.Dial(cfg.PartnerCatalogAddr, partnerCatalog, identity, log); err != nil {
		return err
	}
	if a.auth, err = daemon.Dial(cfg.AuthAddr, auth, identity, log); err != nil {
		return err
	}
	if a.renderer, err = daemon.Dial(cfg.CVRenderAddr, cvRender, identity, log); err != nil {
		return err
	}
	if a.sessions, err = sessions.New(a.auth); err != nil {
		return err
	}
	if a.bucket, err = blobs.Open(ctx, cfg.bucket()); err != nil {
		return err
	}
	if a.store, err = postgres.New(a.pool); err != nil {
		return err
	}
	return a.assemble(cfg, a.store, log)
}

// assemble makes the use cases and starts the workers.
func (a *App) assemble(cfg Config, store *postgres.Store, log *slog.Logger) error {
	postings, err := catalog.New(a.catalog)
	if err != nil {
		return err
	}
	totals, err := delivery.NewWorker(delivery.Config{Outbox: store, Catalog: postings})
	if err != nil {
		return err
	}
	u, clk := grpcapi.Config{}, clock.System{}
	if err := a.aboutPeople(&u, cfg, store, clk); err != nil {
		return err
	}
	u.Applications, err = application.NewService(application.Config{Store: store, Catalog: postings, Counted: totals, Clock: clk})
	if err != nil {
		return err
	}
	if u.Applicants, err = a.applicants(postings); err != nil {
		return err
	}
	if u.Resumes, err = resume.NewService(resume.Config{Store: store, Files: a.bucket, Clock: clk, Log: log}); err != nil {
		return err
	}
	if u.Details, err = detail.NewService(detail.Config{Store: store, Links: u.Resumes}); err != nil {
		return err
	}
	if err := a.personData(&u, store, log); err != nil {
		return err
	}
	if a.api, err = grpcapi.New(u); err != nil {
		return err
	}
	events, err := relay.NewJob(relay.Config{Outbox: store.Audit(), Auth: authv1.NewAuditServiceClient(a.auth), Log: log})
	if err != nil {
		return err
	}
	a.stop = background.Start(log, totals.Job(), events, u.Resumes.CleanUpJob(), u.Exports.Job(), background.Measure(store.Outboxes()))
	return nil
}

// aboutPeople makes the use cases of profiles, CVs and photos.
func (a *App) aboutPeople(u *grpcapi.Config, cfg Config, store *postgres.Store, clk clock.Clock) error {
	pages, err := projection.NewPages(cfg.AppURL)
	if err != nil {
		return err
	}
	pictures := picture.NewEncoder()
	if u.Profiles, err = profile.NewService(profile.Config{Store: store, Pictures: pictures, Clock: clk}); err != nil {
		return err
	}
	if u.Editor, err = profile.NewEditor(profile.EditorConfig{Store: store, Profiles: u.Profiles, Clock: clk}); err != nil {
		return err
	}
	if u.Photos, err = photo.NewService(store); err != nil {
		return err
	}
	u.Shared, err = sharing.NewService(sharing.Config{Store: store, Pages: pages})
	return err
}

// applicants makes the use case of people's own applications, which asks partnercatalog and auth.
func (a *App) applicants(jobs applicant.Jobs) (*applicant.Service, error) {
	looked, err := readcount.New(a.auth)
	if err != nil {
		return nil, err
	}
	return applicant.NewService(applicant.Config{Store: a.store, Jobs: jobs, Reads: looked})
}

// Audit takes the events of calls, until auth has them.
func (a *App) Audit() audit.Recorder { return a.store.Audit() }

// Sessions says who is signed in, for calls in the session of a person.
func (a *App) Sessions() grpcserver.Sessions { return a.sessions }

// Register adds the service's methods to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) { a.api.Register(r) }

// Ready reports why the service cannot answer now, nil if it can.
func (a *App) Ready(ctx context.Context) error {
	if err := a.pool.Ping(ctx); err != nil {
		return fmt.Errorf("%s: postgres: %w", Name, err)
	}
	return nil
}

// Close stops the workers and closes what New has opened.
func (a *App) Close(context.Context) error {
	a.stop()
	var err error
	if a.catalog != nil {
		err = a.catalog.Close()
	}
	if a.auth != nil {
		err = errors.Join(err, a.auth.Close())
	}
	if a.renderer != nil {
		err = errors.Join(err, a.renderer.Close())
	}
	if a.bucket != nil {
		err = errors.Join(err, a.bucket.Close())
	}
	if a.pool != nil {
		a.pool.Close()
	}
	return err
}
