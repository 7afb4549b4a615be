// Command candidate runs the candidate service: profiles, CVs, what of them is
// shared, applications and resumes. Its configuration is app.Config and
// daemon.Config, from the environment.
package main

import (
	"context"
	"log/slog"

	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/services/candidate/app"
)

func main() {
	daemon.Main(app.Name, func(c app.Config) string { return c.Addr },
		func(ctx context.Context, c app.Config, log *slog.Logger, identity *mtls.Identity) (daemon.Service, error) {
			return app.New(ctx, c, log, identity)
		})
}
