package issuer

import (
	"context"
	"log/slog"
	"time"
)

// Run calls Keep regularly until ctx is done. The first call must succeed. Later failures are only logged, because
// the current certificates are still valid.
func (i *Issuer) Run(ctx context.Context, log *slog.Logger) error {
	if err := i.Keep(); err != nil {
		return err
	}
	log.InfoContext(ctx, "the certificates are there", "names", i.names)
	tick := time.NewTicker(i.settings.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := i.Keep(); err != nil {
			log.ErrorContext(ctx, "the certificates cannot be renewed", "error", err)
		}
	}
}
