// Command candidate runs the candidate service, which manages profiles, CVs, sharing, applications
// and resumes. It is configured by the environment variables of app.Config and daemon.Config.
//
// `candidate check-resumes` compares the database with the bucket and exits.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/services/candidate/app"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "check-resumes" {
		if err := checkResumes(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "candidate:", err)
			os.Exit(1)
		}
		return
	}
	daemon.Main(app.Name, func(c app.Config) string { return c.Addr },
		func(ctx context.Context, c app.Config, log *slog.Logger, identity *mtls.Identity) (daemon.Service, error) {
			return app.New(ctx, c, log, identity)
		})
}

func checkResumes(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	c, err := config.Load[app.Config](config.OS())
	if err != nil {
		return err
	}
	return app.CheckResumes(ctx, c, args, os.Stdout)
}
