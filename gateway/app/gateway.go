package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"

	"vitae.internal/gateway/internal/admission/usage"
	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/redisx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Name is the gateway's name as a caller, as in its certificate.
const Name = "gateway"

// Gateway holds the assembled gateway. Run serves it.
type Gateway struct {
	cfg       Config
	rings     rings
	log       *slog.Logger
	parts     parts
	redis     redis.UniversalClient
	usage     *usage.Recorder
	admission admissionParts
	listeners []built
	// atStart holds the background tasks of the interfaces, which stop when their context is canceled.
	atStart []func(context.Context)

	// leaving is set once the gateway has received the signal to stop.
	leaving atomic.Bool
	// listens is set once all listeners accept connections.
	listens atomic.Bool
	stop    context.CancelFunc
	work    sync.WaitGroup
}

// parts holds the connections to the services.
type parts struct {
	auth, partnercatalog, candidate, cvrender *grpc.ClientConn
}

// New builds the interfaces and connects to the services without waiting for them. The caller must call Close
// after Run.
func New(cfg Config, log *slog.Logger, identity *mtls.Identity) (_ *Gateway, err error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	g := &Gateway{cfg: cfg, log: log}
	if g.rings, err = cfg.rings(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.Close())
		}
	}()
	if g.parts, err = dial(cfg, identity, log); err != nil {
		return nil, err
	}
	if g.redis, err = redisx.Open(cfg.Redis); err != nil {
		return nil, err
	}
	redisx.Expose(Name, g.redis)
	g.usage, err = usage.New(usage.Config{
		Auth: authv1.NewUsageServiceClient(g.parts.auth), Log: log, Buffer: cfg.UsageBuffer, Every: usage.Every,
	})
	if err != nil {
		return nil, err
	}
	if g.admission, err = g.newAdmission(); err != nil {
		return nil, err
	}
	if g.listeners, err = g.buildListeners(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	g.stop = stop
	g.work.Go(func() { g.usage.Run(ctx) })
	for _, do := range g.atStart {
		g.work.Go(func() { do(ctx) })
	}
	return g, nil
}

func dial(cfg Config, identity *mtls.Identity, log *slog.Logger) (p parts, err error) {
	for _, one := range []struct {
		to           **grpc.ClientConn
		target, name string
	}{
		{&p.auth, cfg.AuthTarget, "auth"},
		{&p.partnercatalog, cfg.PartnercatalogTarget, "partnercatalog"},
		{&p.candidate, cfg.CandidateTarget, "candidate"},
		{&p.cvrender, cfg.CvrenderTarget, "cvrender"},
	} {
		if *one.to, err = daemon.Dial(one.target, one.name, identity, log); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Ready returns an error if the gateway cannot serve. It checks neither Redis, without which the gateway
// can work, nor cvrender, which only PDFs need.
func (g *Gateway) Ready(ctx context.Context) error {
	if g.leaving.Load() {
		return errors.New("gateway: shutting down")
	}
	for name, conn := range map[string]*grpc.ClientConn{
		"auth": g.parts.auth, "partnercatalog": g.parts.partnercatalog, "candidate": g.parts.candidate,
	} {
		if _, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{}); err != nil {
			return fmt.Errorf("gateway: %s: %w", name, err)
		}
	}
	if !g.listens.Load() {
		return errors.New("gateway: not listening yet")
	}
	return nil
}

// Close reports the remaining usage and closes the connections.
func (g *Gateway) Close() error {
	if g.stop != nil {
		g.stop()
		g.work.Wait()
	}
	var faults []error
	for _, conn := range []*grpc.ClientConn{g.parts.auth, g.parts.partnercatalog, g.parts.candidate, g.parts.cvrender} {
		if conn != nil {
			faults = append(faults, conn.Close())
		}
	}
	if g.redis != nil {
		faults = append(faults, g.redis.Close())
	}
	return errors.Join(faults...)
}
