package parts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	gateway "vitae.internal/gateway/app"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/telemetry"
	auth "vitae.internal/services/auth/app"
	candidate "vitae.internal/services/candidate/app"
	cvrender "vitae.internal/services/cvrender/app"
	partnercatalog "vitae.internal/services/partnercatalog/app"
)

// InProcess starts a service in this process. It is a Start function.
func InProcess(ctx context.Context, name string, e config.Environment, out io.Writer) (Running, error) {
	log := telemetry.NewLogger(out, name)
	telemetry.ExposeBuild(name)
	switch name {
	case Auth:
		return service(name, e, log, func(c auth.Config, _ *mtls.Identity) (string, daemon.Service, error) {
			s, err := auth.New(ctx, c, log)
			return c.Addr, s, err
		})
	case PartnerCatalog:
		return service(name, e, log, func(c partnercatalog.Config, identity *mtls.Identity) (string, daemon.Service, error) {
			s, err := partnercatalog.New(ctx, c, log, identity)
			return c.Addr, s, err
		})
	case Candidate:
		return service(name, e, log, func(c candidate.Config, identity *mtls.Identity) (string, daemon.Service, error) {
			s, err := candidate.New(ctx, c, log, identity)
			return c.Addr, s, err
		})
	case CVRender:
		return service(name, e, log, func(c cvrender.Config, _ *mtls.Identity) (string, daemon.Service, error) {
			s, err := cvrender.New(ctx, c, log)
			return c.Addr, s, err
		})
	case Gateway:
		return startGateway(e, log)
	}
	return nil, fmt.Errorf("unknown service %s", name)
}

// inProcess is a service that runs as a goroutine.
type inProcess struct {
	name  string
	ready func(context.Context) error
	end   context.CancelFunc
	done  chan struct{}
	err   error
}

// run starts serve with a new context. The caller's context, which Ctrl-C cancels, would stop all services at once, but
// they must stop one after another.
func run(name string, ready func(context.Context) error, serve func(context.Context) error) Running {
	ctx, end := context.WithCancel(context.Background())
	p := &inProcess{name: name, ready: ready, end: end, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = serve(ctx)
	}()
	return p
}

func (p *inProcess) Name() string                    { return p.name }
func (p *inProcess) Ready(ctx context.Context) error { return p.ready(ctx) }
func (p *inProcess) Done() <-chan struct{}           { return p.done }

func (p *inProcess) Err() error {
	<-p.done
	return p.err
}

func (p *inProcess) Stop(ctx context.Context) error {
	p.end()
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return fmt.Errorf("%s did not stop: %w", p.name, ctx.Err())
	}
}

// service starts a gRPC service in the same way as its own main function.
func service[C any](name string, e config.Environment, log *slog.Logger, open func(C, *mtls.Identity) (string, daemon.Service, error)) (Running, error) {
	identity, own, err := load[C](e, log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	addr, s, err := open(own, identity)
	if err != nil {
		return nil, err
	}
	part := &daemon.Part{Name: name, Addr: addr, Identity: identity, Service: s, Log: log}
	return run(name, part.Ready, part.Serve), nil
}

// startGateway starts one replica of the gateway.
func startGateway(e config.Environment, log *slog.Logger) (Running, error) {
	identity, own, err := load[gateway.Config](e, log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Gateway, err)
	}
	g, err := gateway.New(own, log, identity)
	if err != nil {
		return nil, err
	}
	return run(Gateway, g.Ready, func(ctx context.Context) error {
		return errors.Join(g.Run(ctx), g.Close())
	}), nil
}

func load[C any](e config.Environment, log *slog.Logger) (*mtls.Identity, C, error) {
	var own C
	process, err := config.Load[daemon.Config](e)
	if err != nil {
		return nil, own, err
	}
	if own, err = config.Load[C](e); err != nil {
		return nil, own, err
	}
	process.TLS.Log = log
	identity, err := mtls.Load(process.TLS)
	if err != nil {
		return nil, own, err
	}
	telemetry.ExposeExpiry(identity)
	return identity, own, nil
}
