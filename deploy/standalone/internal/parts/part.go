package parts

import (
	"context"
	"fmt"
	"io"
	"time"

	"vitae.internal/pkg/config"
)

// Names of the services, as in their certificates.
const (
	Auth           = "auth"
	PartnerCatalog = "partnercatalog"
	Candidate      = "candidate"
	CVRender       = "cvrender"
	Gateway        = "gateway"
)

// Running is a started service.
type Running interface {
	Name() string
	// Ready returns nil if the service is ready, or an error with the reason if it is not.
	Ready(context.Context) error
	// Done returns a channel that is closed when the service has stopped for any reason.
	Done() <-chan struct{}
	// Err returns the reason why the service stopped. It may be called only after Done is closed.
	Err() error
	// Stop waits for in-flight calls to finish and for the service to stop.
	Stop(context.Context) error
}

// Start starts a service without waiting until it is ready.
type Start func(ctx context.Context, name string, e config.Environment, log io.Writer) (Running, error)

// pollEvery is the time between readiness checks.
const pollEvery = 20 * time.Millisecond

// AwaitReady waits until the service is ready. It returns an error if the service stops or ctx is
// done first.
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
			return fmt.Errorf("%s ended during startup: %w", p.Name(), p.Err())
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", p.Name(), err)
		case <-tick.C:
		}
	}
}
