// Command auth serves vitae.auth.v1: sign-in, developer accounts, OAuth, and the state of live
// credentials.
package main

import (
	"context"
	"log/slog"

	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/services/auth/app"
)

func main() {
	daemon.Main(app.Name, func(c app.Config) string { return c.Addr },
		func(ctx context.Context, c app.Config, log *slog.Logger, _ *mtls.Identity) (daemon.Service, error) {
			return app.New(ctx, c, log)
		})
}
