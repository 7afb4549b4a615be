package app

import (
	"context"
	"fmt"
	"log/slog"

	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/picture"
	"vitae.internal/services/cvrender/internal/chromium"
	"vitae.internal/services/cvrender/internal/grpcapi"
	"vitae.internal/services/cvrender/internal/pdf"
	"vitae.internal/services/cvrender/internal/photo"
	"vitae.internal/services/cvrender/internal/render"
	"vitae.internal/services/cvrender/internal/template"
)

// Name is the service's name in its certificate and in logs.
const Name = "cvrender"

// App is the running renderer.
type App struct {
	api  *grpcapi.API
	pool *render.Pool
}

// New starts the renderer. It returns before Chromium has started; Ready reports when Chromium can print. New
// fails if Chromium is not installed.
func New(ctx context.Context, cfg Config, log *slog.Logger) (*App, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	path, err := chromium.Find(cfg.Chromium)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	chromium.Sweep(log)
	layout, err := template.New()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	photos, err := photo.NewSource(photo.Config{Allow: cfg.PhotoAllow, Clock: clock.System{}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	refiner, err := pdf.NewRefiner(layout.Fonts())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	pool, err := render.NewPool(render.PoolConfig{
		Refiner: refiner,
		Launch:  launcher(chromium.Options{Path: path, Fonts: layout.Fonts(), MemoryLimit: cfg.MemoryBytes, Log: log}),
		Limits: render.Limits{
			Slots: cfg.Slots, Queue: cfg.Queue, Deadline: cfg.Deadline, Recycle: cfg.Recycle, Probe: cfg.Probe, Cache: cfg.CacheBytes,
		},
		Log: log,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	service, err := render.NewService(render.Config{
		Layout: layout, Photos: photos, Pool: pool, PerShare: cfg.PerShare, Revision: pdf.Revision() + chromium.Revision(), Log: log,
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	log.InfoContext(ctx, "starting chromium", "path", path, "slots", cfg.Slots)
	return &App{api: &grpcapi.API{Renderer: service, Photos: photos, Pictures: picture.NewEncoder()}, pool: pool}, nil
}

// launcher returns the function that starts the pool's browsers.
func launcher(o chromium.Options) render.Launch {
	return func(ctx context.Context) (render.Browser, error) {
		b, err := chromium.Start(ctx, o)
		if err != nil {
			return nil, err
		}
		o.Log.InfoContext(ctx, "chromium started", "version", b.Version(), "pid", b.Pid())
		return b, nil
	}
}

// Audit returns nil, because this service stores no audit events.
func (a *App) Audit() audit.Recorder { return nil }

// Register adds the service's methods to a gRPC server.
func (a *App) Register(r grpc.ServiceRegistrar) { a.api.Register(r) }

// Ready returns an error if no CV can currently be rendered. A Chromium process counts as ready once it has
// printed a document. It is probed while it is idle.
func (a *App) Ready(context.Context) error { return a.pool.Ready() }

// Close stops every Chromium process, and waits until its child processes and files are gone.
func (a *App) Close(context.Context) error {
	a.pool.Close()
	return nil
}
