// Command cvrender is a gRPC service that renders CVs as PDFs. The CVs contain only data that the reader may
// see.
package main

import (
	"context"
	"log/slog"

	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
	"vitae.internal/services/cvrender/app"
)

func main() {
	daemon.Main(app.Name, func(c app.Config) string { return c.Addr },
		func(ctx context.Context, c app.Config, log *slog.Logger, _ *mtls.Identity) (daemon.Service, error) {
			return app.New(ctx, c, log)
		})
}
