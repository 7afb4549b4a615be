package app

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	pgpkg "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/authorize"
	"vitae.internal/services/auth/internal/cleanup"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/grant"
	"vitae.internal/services/auth/internal/grpcapi"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/password"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/postgres"
	rediskeep "vitae.internal/services/auth/internal/redis"
	"vitae.internal/services/auth/internal/session"
	"vitae.internal/services/auth/internal/throttle"
	"vitae.internal/services/auth/internal/token"
	"vitae.internal/services/auth/internal/usage"
)

// App is the running service.
type App struct {
	pool  *pgxpool.Pool
	redis redis.UniversalClient
	store *postgres.Store
	stop  context.CancelFunc
	work  sync.WaitGroup

	people      *grpcapi.People
	sessions    *grpcapi.Sessions
	developers  *grpcapi.Developers
	oauth       *grpcapi.OAuth
	connections *grpcapi.Connections
	credentials *grpcapi.Credentials
	legacy      *grpcapi.Legacy
	usage       *grpcapi.Usage
}

// Option changes what only tests and tools change.
type Option func(*options)

type options struct {
	clock    clock.Clock
	waitOut  time.Duration
	password password.Params
}

// WithClock makes the service tell the time by c.
func WithClock(c clock.Clock) Option { return func(o *options) { o.clock = c } }

// WithWaitOut replaces sessionrecord.WaitOut, how long a revoke waits that cannot
// tell Redis.
func WithWaitOut(d time.Duration) Option { return func(o *options) { o.waitOut = d } }

// WithPasswordCost replaces the argon2id cost of new password hashes: KiB of
// memory, passes, lanes.
func WithPasswordCost(memory, time uint32, threads uint8) Option {
	return func(o *options) { o.password = password.Params{Memory: memory, Time: time, Threads: threads} }
}

// New brings the database to its newest migration, wires the service and starts
// its workers. It does not wait for Redis.
func New(ctx context.Context, c Config, log *slog.Logger, opts ...Option) (*App, error) {
	o := options{clock: clock.System{}, waitOut: sessionrecord.WaitOut, password: password.Default}
	for _, opt := range opts {
		opt(&o)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := postgres.Migrate(ctx, c.Postgres.URL); err != nil {
		return nil, err
	}
	pool, err := pgpkg.Open(ctx, c.Postgres)
	if err != nil {
		return nil, err
	}
	rdb, err := redisx.Open(c.Redis)
	if err != nil {
		pool.Close()
		return nil, err
	}
	rdb.AddHook(rediskeep.NewOutage(o.clock, log))
	a := &App{pool: pool, redis: rdb, store: postgres.New(pool)}
	a.wire(c, o, log)
	return a, nil
}

func (a *App) wire(c Config, o options, log *slog.Logger) {
	records := rediskeep.NewRecords(a.redis)
	teller := forget.NewTeller(records, a.store, o.waitOut, log)
	hasher := password.New(o.password, c.PasswordsAtOnce)
	attempts := throttle.New(rediskeep.NewAttempts(a.redis), o.clock, log)
	sessions := session.New(a.store, hasher, attempts, c.SessionLife, o.clock, log)

	a.people = &grpcapi.People{People: person.New(a.store, hasher, o.clock)}
	a.sessions = &grpcapi.Sessions{Sessions: sessions}
	a.developers = &grpcapi.Developers{Developers: developer.New(a.store, teller, o.clock), Plans: c.plans()}
	a.oauth = &grpcapi.OAuth{
		Authorizer: authorize.New(a.store, sessions, teller, c.CodeLife, o.clock),
		Granter:    grant.New(a.store, teller, grant.Lives{Access: c.AccessLife, Refresh: c.RefreshLife}, o.clock),
		Tokens:     token.New(a.store, teller, o.clock),
	}
	a.legacy = &grpcapi.Legacy{Granter: a.oauth.Granter, Tokens: a.oauth.Tokens}
	a.connections = &grpcapi.Connections{Connections: connection.New(a.store, teller, o.clock), Sessions: sessions}
	a.credentials = &grpcapi.Credentials{
		Resolver: livestate.NewResolver(postgres.NewLive(a.store, c.plans()), records, o.clock, log),
	}

	keeper := usage.NewKeeper(a.store, o.clock, log)
	a.usage = &grpcapi.Usage{Usage: usage.New(a.store, keeper, o.clock)}

	ctx, stop := context.WithCancel(context.Background())
	a.stop = stop
	forgetting := forget.NewWorker(teller, a.store, o.clock, log)
	cleaning := cleanup.New(a.store, o.clock, log)
	a.work.Go(func() { forgetting.Run(ctx) })
	a.work.Go(func() { cleaning.Run(ctx) })
	a.work.Go(func() { keeper.Run(ctx) })
}

// Register implements daemon.Service.
func (a *App) Register(s grpc.ServiceRegistrar) {
	authv1.RegisterPeopleServiceServer(s, a.people)
	authv1.RegisterSessionServiceServer(s, a.sessions)
	authv1.RegisterDeveloperServiceServer(s, a.developers)
	authv1.RegisterOAuthServiceServer(s, a.oauth)
	authv1.RegisterConnectionServiceServer(s, a.connections)
	authv1.RegisterCredentialServiceServer(s, a.credentials)
	authv1.RegisterLegacyTokenServiceServer(s, a.legacy)
	authv1.RegisterUsageServiceServer(s, a.usage)
}

// Ready implements daemon.Service. Redis may be down: auth works without it.
func (a *App) Ready(ctx context.Context) error { return a.store.Ping(ctx) }

// Close implements daemon.Service.
func (a *App) Close(context.Context) error {
	a.stop()
	a.work.Wait()
	a.pool.Close()
	if err := a.redis.Close(); err != nil {
		return fmt.Errorf("auth: close redis: %w", err)
	}
	return nil
}
