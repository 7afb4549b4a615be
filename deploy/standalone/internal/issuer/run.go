package issuer

import (
	"context"
	"log/slog"
	"time"
)

// Run looks after the certificates until ctx ends. Its first look must succeed; a later
// one that fails is logged and tried again, since what is there serves on.
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
