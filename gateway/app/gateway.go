package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/redisx"

	"vitae.internal/gateway/internal/admission/usage"
	"vitae.internal/gateway/internal/api"
)

// Gateway is the edge, ready to serve.
type Gateway struct {
	cfg    Config
	log    *slog.Logger
	parts  parts
	redis  redis.UniversalClient
	usage  *usage.Recorder
	admits gatekeeping
	edge   http.Handler
	legacy http.Handler
	pages  http.Handler

	stop context.CancelFunc
	work sync.WaitGroup
}

// parts are the connections to what stands behind the edge.
type parts struct {
	auth, partnercatalog, candidate, cvrender *grpc.ClientConn
}

// New connects to the parts, without waiting for them, and builds the handlers.
// Close what it returns after Run.
func New(_ context.Context, cfg Config, log *slog.Logger, identity *mtls.Identity) (_ *Gateway, err error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	g := &Gateway{cfg: cfg, log: log}
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
	g.usage, err = usage.New(usage.Config{
		Auth: authv1.NewUsageServiceClient(g.parts.auth), Log: log, Buffer: cfg.UsageBuffer, Every: usage.Every,
	})
	if err != nil {
		return nil, err
	}
	if g.admits, err = g.newAdmission(); err != nil {
		return nil, err
	}
	if g.edge, err = g.newEdge(); err != nil {
		return nil, err
	}
	if g.legacy, err = g.newLegacy(); err != nil {
		return nil, err
	}
	if g.pages, err = g.newPages(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	g.stop = stop
	g.work.Go(func() { g.usage.Run(ctx) })
	return g, nil
}

func dial(cfg Config, identity *mtls.Identity, log *slog.Logger) (p parts, err error) {
	if p.auth, err = grpcx.Dial(cfg.AuthTarget, "auth", identity, grpcx.WithBreaker(log)); err != nil {
		return p, err
	}
	if p.partnercatalog, err = grpcx.Dial(cfg.PartnercatalogTarget, "partnercatalog", identity, grpcx.WithBreaker(log)); err != nil {
		return p, err
	}
	if p.candidate, err = grpcx.Dial(cfg.CandidateTarget, "candidate", identity, grpcx.WithBreaker(log)); err != nil {
		return p, err
	}
	p.cvrender, err = grpcx.Dial(cfg.CvrenderTarget, "cvrender", identity, grpcx.WithBreaker(log))
	return p, err
}

func (g *Gateway) newEdge() (http.Handler, error) {
	return api.New(api.Config{
		BaseURL: g.cfg.BaseURL, AppURL: g.cfg.AppURL,
		PlatformOn:   bool(g.cfg.DeveloperPlatform),
		Proxies:      g.cfg.TrustedProxies,
		OAuth:        authv1.NewOAuthServiceClient(g.parts.auth),
		Me:           candidatev1.NewMeServiceClient(g.parts.candidate),
		Applications: candidatev1.NewApplicationServiceClient(g.parts.candidate),
		Resumes:      candidatev1.NewResumeServiceClient(g.parts.candidate),
		Companies:    partnercatalogv1.NewCompanyServiceClient(g.parts.partnercatalog),
		Jobs:         partnercatalogv1.NewJobServiceClient(g.parts.partnercatalog),
		Renderer:     cvrenderv1.NewCvRenderServiceClient(g.parts.cvrender),
		Verifier:     g.admits.verifier,
		Limiter:      g.admits.limiter,
		Tiers:        g.admits.tiers,
		Links:        g.admits.links,
		Usage:        g.usage,
		Log:          g.log,
		MaxInFlight:  g.cfg.MaxInFlight,
	})
}

// Ready reports why the edge cannot do its work now, nil if it can. Redis is not
// asked: the edge serves without it. Nor is cvrender: only PDFs need it.
func (g *Gateway) Ready(ctx context.Context) error {
	for name, conn := range map[string]*grpc.ClientConn{
		"auth": g.parts.auth, "partnercatalog": g.parts.partnercatalog, "candidate": g.parts.candidate,
	} {
		if _, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{}); err != nil {
			return fmt.Errorf("gateway: %s: %w", name, err)
		}
	}
	return nil
}

// Close reports the usage that is left, and lets go of the connections.
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
