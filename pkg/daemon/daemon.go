package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/telemetry"
)

// stopTimeout limits how long in-flight calls may continue after a stop signal.
const stopTimeout = 20 * time.Second

// Service is a service that is served over gRPC. The app package of every service implements it.
type Service interface {
	// Register registers the gRPC services.
	Register(grpc.ServiceRegistrar)
	// Ready returns nil if the service can serve calls now, and otherwise an error with the reason.
	Ready(context.Context) error
	// Audit returns the recorder of audit events, or nil if the service records none.
	Audit() audit.Recorder
	// Close stops background work. It is called after the last call has finished.
	Close(context.Context) error
}

// team is implemented by services with methods for members of developer accounts.
type team interface {
	// Members returns the object that authorizes calls on behalf of members.
	Members() grpcserver.Members
}

// personal is implemented by services that are called on behalf of signed-in people.
type personal interface {
	// Sessions returns the object that looks up the signed-in person.
	Sessions() grpcserver.Sessions
}

// Config holds the settings that all services have in common.
type Config struct {
	// TLS holds the paths of the certificate files.
	TLS mtls.Config
	// Ops holds the listen address for /metrics, /healthz and /readyz.
	Ops telemetry.OpsConfig
	// Log holds the log level.
	Log telemetry.LogConfig
}

// Part is one of the services that run in a process.
type Part struct {
	// Name is the service's name in its certificate.
	Name     string
	Addr     string
	Identity *mtls.Identity
	Service  Service
	Log      *slog.Logger

	listens atomic.Bool
}

// Ready returns nil if the service can serve calls now, and otherwise an error with the reason.
func (p *Part) Ready(ctx context.Context) error {
	if !p.listens.Load() {
		return fmt.Errorf("%s: not listening yet", p.Name)
	}
	return p.Service.Ready(ctx)
}

// Serve runs the gRPC server until ctx is done, waits for in-flight calls, and closes the service. It
// also closes the service if the server cannot start.
func (p *Part) Serve(ctx context.Context) error {
	err := p.serve(ctx)
	closeCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return errors.Join(err, p.Service.Close(closeCtx))
}

func (p *Part) serve(ctx context.Context) error {
	options := []grpcserver.Option{grpcserver.WithAudit(p.Service.Audit())}
	if t, is := p.Service.(team); is {
		options = append(options, grpcserver.WithMembers(t.Members()))
	}
	if s, is := p.Service.(personal); is {
		options = append(options, grpcserver.WithSessions(s.Sessions()))
	}
	server, err := grpcserver.New(p.Identity, p.Log, p.Service.Register, options...)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", p.Addr)
	if err != nil {
		return fmt.Errorf("%s: listen: %w", p.Name, err)
	}
	p.listens.Store(true)
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	p.Log.Info("serving gRPC", "addr", l.Addr().String())
	select {
	case err = <-served:
	case <-ctx.Done():
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		server.Stop(stopCtx)
		err = <-served
	}
	return err
}

// Main is the main function of a service. It loads the configuration C, calls open to create the
// service, and serves it at the listen address returned by addr. On an error, the process exits
// with status 1. With --help, it only prints the settings.
func Main[C any](name string, addr func(C) string, open func(context.Context, C, *slog.Logger, *mtls.Identity) (Service, error)) {
	var own C
	config.PrintHelp(name, Config{}, own)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := telemetry.NewLogger(os.Stderr, name)
	if err := run(ctx, name, log, addr, open); err != nil {
		log.Error("stopped", "error", err)
		os.Exit(1)
	}
}

func run[C any](ctx context.Context, name string, log *slog.Logger, addr func(C) string, open func(context.Context, C, *slog.Logger, *mtls.Identity) (Service, error)) error {
	environment := config.OS()
	common, err := config.Load[Config](environment)
	if err != nil {
		return err
	}
	own, err := config.Load[C](environment)
	if err != nil {
		return err
	}
	defer telemetry.FollowLogLevel(common.Log, log)()
	telemetry.ExposeBuild(name)
	SizeHeap(log)
	common.TLS.Log = log
	identity, err := mtls.Load(common.TLS)
	if err != nil {
		return err
	}
	telemetry.ExposeExpiry(identity)
	flush, err := telemetry.StartTracing(ctx, name, log)
	if err != nil {
		return err
	}
	defer flush(context.WithoutCancel(ctx))
	service, err := open(ctx, own, log, identity)
	if err != nil {
		return err
	}
	ReleaseStart() // takes a few milliseconds, so do it before the service is ready
	part := &Part{Name: name, Addr: addr(own), Identity: identity, Service: service, Log: log}
	stopOps, err := telemetry.ServeOps(common.Ops, log, part.Ready)
	if err != nil {
		return errors.Join(err, service.Close(context.WithoutCancel(ctx)))
	}
	defer stopOps()
	return part.Serve(ctx)
}
