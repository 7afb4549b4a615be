package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	goredis "github.com/redis/go-redis/v9"
	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/grpcserver"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/geoip"
	"vitae.internal/services/auth/internal/grpcapi"
	"vitae.internal/services/auth/internal/grpcapi/platform"
	"vitae.internal/services/auth/internal/people/password"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/redis"
)

// Name identifies this service when it calls other services, as in its certificate.
const Name = "auth"

// App is the running service.
type App struct {
	pool   *pgxpool.Pool
	redis  goredis.UniversalClient
	stores *postgres.Stores
	// records is nil before the service is built.
	records *redis.Records
	api     *grpcapi.API
	audit   *auditlog.Service
	members grpcserver.Members
	stop    func()
}

// Option changes a setting. Options are for tests and tools.
type Option func(*options)

type options struct {
	clock    clock.Clock
	waitOut  time.Duration
	password password.Params
}

// WithClock replaces the service's clock.
func WithClock(c clock.Clock) Option { return func(o *options) { o.clock = c } }

// WithWaitOut replaces sessionrecord.WaitOut, the time for which a revocation waits if Redis is unreachable.
func WithWaitOut(d time.Duration) Option { return func(o *options) { o.waitOut = d } }

// WithPasswordCost replaces the argon2id parameters of new password hashes: memory in KiB, passes and lanes.
func WithPasswordCost(memory, time uint32, threads uint8) Option {
	return func(o *options) { o.password = password.Params{Memory: memory, Time: time, Threads: threads} }
}

// New migrates the database, builds the service and starts its jobs. It does not wait for Redis.
func New(ctx context.Context, c Config, log *slog.Logger, opts ...Option) (*App, error) {
	o := options{clock: clock.System{}, waitOut: sessionrecord.WaitOut, password: password.Default}
	for _, opt := range opts {
		opt(&o)
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	a := &App{}
	jobs, err := a.build(ctx, c, o, log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, errors.Join(err, a.closeBackends()))
	}
	a.stop = background.Start(log, jobs...)
	return a, nil
}

// build connects to the backends, assembles the service and returns the jobs to start.
func (a *App) build(ctx context.Context, c Config, o options, log *slog.Logger) ([]background.Job, error) {
	addresses, err := geoip.Open(c.AddressDatabase)
	if err != nil {
		return nil, fmt.Errorf("VITAE_ADDRESS_DATABASE: %w", err)
	}
	if err := postgres.Prepare(ctx, c.Postgres); err != nil {
		return nil, err
	}
	if a.pool, err = pkgpostgres.Open(ctx, c.Postgres); err != nil {
		return nil, err
	}
	pkgpostgres.Expose(Name, a.pool)
	a.stores = postgres.New(a.pool)
	if err := a.guardAudit(ctx, log); err != nil {
		return nil, err
	}
	if a.redis, err = redisx.Open(c.Redis); err != nil {
		return nil, err
	}
	redisx.Expose(Name, a.redis)
	hook, err := redis.NewOutageHook(o.clock, log)
	if err != nil {
		return nil, err
	}
	a.redis.AddHook(hook)
	p, err := newParts(backends{a.stores, a.redis, addresses}, c, o, log)
	if err != nil {
		return nil, err
	}
	a.records, a.audit, a.members = p.records, p.audit, platform.NewMembers(p.members)
	if a.api, err = p.api(c); err != nil {
		return nil, err
	}
	return p.jobs(c)
}

// guardAudit creates the audit log partitions that are needed now. It logs a warning if this process's Postgres role
// could change stored events.
func (a *App) guardAudit(ctx context.Context, log *slog.Logger) error {
	if err := a.stores.Audit.MakeNextAuditPartitions(ctx); err != nil {
		return err
	}
	only, err := a.stores.Audit.IsAppendOnly(ctx)
	if err == nil && !only {
		log.WarnContext(ctx, "the audit log is not protected from auth itself: its database role owns the tables; "+
			"give the owner to VITAE_POSTGRES_MIGRATION_URL and another role to VITAE_POSTGRES_URL")
	}
	return err
}

func (a *App) Audit() audit.Recorder { return a.audit }

// Members returns the authorizer for calls on behalf of developer console users.
func (a *App) Members() grpcserver.Members { return a.members }

func (a *App) Register(r grpc.ServiceRegistrar) { a.api.Register(r) }

// Ready implements daemon.Service. It doesn't check Redis, because the service works without it.
func (a *App) Ready(ctx context.Context) error { return a.pool.Ping(ctx) }

func (a *App) Close(ctx context.Context) error {
	a.stop()
	return errors.Join(a.audit.Close(ctx), a.closeBackends())
}

func (a *App) closeBackends() error {
	if a.pool != nil {
		a.pool.Close()
	}
	var faults []error
	if a.records != nil {
		faults = append(faults, a.records.Close())
	}
	if a.redis != nil {
		faults = append(faults, a.redis.Close())
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("auth: close: %w", err)
	}
	return nil
}
