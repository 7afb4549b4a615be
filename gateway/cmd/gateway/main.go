// Command gateway serves the REST API, the pages, the developer console and the legacy interface.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"vitae.internal/gateway/app"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/telemetry"
)

const name = app.Name

func main() {
	config.PrintHelp(name, daemon.Config{}, app.Config{})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		telemetry.NewLogger(os.Stderr, name).Error("stopped", "error", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	environment := config.OS()
	process, err := config.Load[daemon.Config](environment)
	if err != nil {
		return err
	}
	cfg, err := config.Load[app.Config](environment)
	if err != nil {
		return err
	}
	log := telemetry.NewLogger(os.Stderr, name)
	defer telemetry.FollowLogLevel(process.Log, log)()
	telemetry.ExposeBuild(name)
	daemon.SizeHeap(log)
	process.TLS.Log = log
	identity, err := mtls.Load(process.TLS)
	if err != nil {
		return err
	}
	telemetry.ExposeExpiry(identity)
	flush, err := telemetry.StartTracing(ctx, name, log)
	if err != nil {
		return err
	}
	defer flush(context.WithoutCancel(ctx))
	gateway, err := app.New(cfg, log, identity)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gateway.Close()) }()
	daemon.ReleaseStart() // takes a few milliseconds, so do it before the gateway is ready
	stopOps, err := telemetry.ServeOps(process.Ops, log, gateway.Ready)
	if err != nil {
		return err
	}
	defer stopOps()
	return gateway.Run(ctx)
}
