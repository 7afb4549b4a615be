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

// stopTimeout is how long running calls may take to finish after a signal.
const stopTimeout = 20 * time.Second

// Service is one part behind its gRPC listener. The `app` package of every
// service has one.
type Service interface {
	// Register adds the part's services to a gRPC server.
	Register(grpc.ServiceRegistrar)
	// Ready reports why the part cannot do its work now, nil if it can.
	Ready(context.Context) error
	// Audit takes the events of the part's calls; nil for a part whose calls leave none.
	Audit() audit.Recorder
	// Close stops what the part runs beside its calls, after the last call.
	Close(context.Context) error
}

// team is a service that knows the people of the developer console.
type team interface {
	// Members decides on calls for them.
	Members() grpcserver.Members
}

// personal is a service that is called for people who are signed in on the pages.
type personal interface {
	// Sessions says who they are.
	Sessions() grpcserver.Sessions
}

// Config is what every gRPC part needs of its environment.
type Config struct {
	// TLS names the part's certificate.
	TLS mtls.Config
	// Ops says where /metrics, /healthz and /readyz are.
	Ops telemetry.OpsConfig
	// Log says how much is logged.
	Log telemetry.LogConfig
}

// Part is a service with its place in the deployment.
type Part struct {
	// Name is the caller name, as in the certificate.
	Name string
	// Addr is the address to listen on.
	Addr string
	// Identity is the part's certificate.
	Identity *mtls.Identity
	// Service does the work.
	Service Service
	// Log takes the part's log lines.
	Log *slog.Logger

	listens atomic.Bool
}

// Ready returns why the part cannot serve calls now, nil if it can.
func (p *Part) Ready(ctx context.Context) error {
	if !p.listens.Load() {
		return fmt.Errorf("%s: it does not listen yet", p.Name)
	}
	return p.Service.Ready(ctx)
}

// Serve runs the part's gRPC server until ctx ends, lets running calls finish,
// and closes the service. It closes the service too if the server cannot start.
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

// Main is the main function of a gRPC part: open makes its service from the
// environment, and addr picks its address. It ends the process with status 1 on
// an error. With --help it prints the settings instead.
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
	ReleaseStart() // before the part says that it is ready: it takes a moment
	part := &Part{Name: name, Addr: addr(own), Identity: identity, Service: service, Log: log}
	stopOps, err := telemetry.ServeOps(common.Ops, log, part.Ready)
	if err != nil {
		return errors.Join(err, service.Close(context.WithoutCancel(ctx)))
	}
	defer stopOps()
	return part.Serve(ctx)
}
