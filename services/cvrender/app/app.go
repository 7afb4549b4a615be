package app

import (
	"context"
	"fmt"
	"log/slog"

	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/chromium"
	"vitae.internal/services/cvrender/internal/grpcapi"
	"vitae.internal/services/cvrender/internal/photo"
	"vitae.internal/services/cvrender/internal/render"
	"vitae.internal/services/cvrender/internal/template"
)

// Name is the part's caller name, as in its certificate.
const Name = "cvrender"

// App is the running renderer.
type App struct {
	server *grpcapi.Server
	pool   *render.Pool
}

// New starts the renderer. It returns before Chromium has started; Ready says
// when that is done. A machine without Chromium is an error at once.
func New(ctx context.Context, cfg Config, log *slog.Logger) (*App, error) {
	path, err := chromium.Find(cfg.Chromium)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	chromium.Sweep(log)
	layout, err := template.New()
	if err != nil {
		return nil, err
	}
	launch := func(ctx context.Context) (render.Browser, error) {
		b, err := chromium.Start(ctx, chromium.Options{Path: path, Fonts: layout.Fonts(), MemoryLimit: cfg.MemoryBytes, Log: log})
		if err != nil {
			return nil, err
		}
		log.InfoContext(ctx, "chromium started", "version", b.Version(), "pid", b.Pid())
		return b, nil
	}
	pool, err := render.NewPool(launch, render.Limits{
		Slots: cfg.Slots, Queue: cfg.Queue, Deadline: cfg.Deadline, Recycle: cfg.Recycle, Probe: cfg.Probe, Cache: cfg.CacheBytes,
	}, log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	service, err := render.NewService(layout, photo.NewSource(cfg.PhotoAllow, clock.System{}), pool, cfg.PerShare, log)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	log.InfoContext(ctx, "starting chromium", "path", path, "slots", cfg.Slots)
	return &App{server: grpcapi.NewServer(service), pool: pool}, nil
}

// Register adds the service to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) {
	cvrenderv1.RegisterCvRenderServiceServer(r, a.server)
}

// Ready reports why no CV can be rendered now, nil if one can. Each Chromium has
// printed a document before it counts, and is probed when it is idle.
func (a *App) Ready(context.Context) error { return a.pool.Ready() }

// Close ends every Chromium and waits until nothing of them is left.
func (a *App) Close(context.Context) error {
	a.pool.Close()
	return nil
}
