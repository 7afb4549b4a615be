package parts

import (
	"context"
	"fmt"
	"io"
	"time"

	"vitae.internal/pkg/config"
)

// Names of the parts, as in their certificates.
const (
	Auth           = "auth"
	PartnerCatalog = "partnercatalog"
	Candidate      = "candidate"
	CVRender       = "cvrender"
	Gateway        = "gateway"
)

// Running is a part that was started.
type Running interface {
	Name() string
	// Ready reports why the part cannot do its work now, nil if it can.
	Ready(context.Context) error
	// Done is closed when the part has ended, for whatever reason.
	Done() <-chan struct{}
	// Err says how it ended; only after Done.
	Err() error
	// Stop lets running calls finish and returns when the part has ended.
	Stop(context.Context) error
}

// Start starts a part; it does not wait until the part is ready.
type Start func(ctx context.Context, name string, e config.Environment, log io.Writer) (Running, error)

// pollEvery is how often a part is asked whether it is ready.
const pollEvery = 20 * time.Millisecond

// AwaitReady waits until the part can do its work, it ends, or ctx ends.
func AwaitReady(ctx context.Context, p Running) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := p.Ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.Done():
			return fmt.Errorf("%s ended at its start: %w", p.Name(), p.Err())
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", p.Name(), err)
		case <-tick.C:
		}
	}
}
