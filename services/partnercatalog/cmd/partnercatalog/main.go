// Command partnercatalog runs the partnercatalog service, which serves companies and jobs over
// gRPC.
package main

import (
	"context"
	"log/slog"

	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/services/partnercatalog/app"
)

func main() {
	daemon.Main(app.Name, func(c app.Config) string { return c.Addr },
		func(ctx context.Context, c app.Config, log *slog.Logger, identity *mtls.Identity) (daemon.Service, error) {
			return app.New(ctx, c, log, identity)
		})
}
