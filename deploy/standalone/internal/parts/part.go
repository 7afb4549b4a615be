package parts

import (
	"context"
	"fmt"
	"io"
	"time"

	"vitae.internal/pkg/config"
)

// The names of the services, as in their certificates.
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
	// Done returns a channel that is closed when the service has ended, for any reason.
	Done() <-chan struct{}
	// Err returns the reason for the end. It may be called only after Done is closed.
	Err() error
	// Stop lets running calls finish and waits for the service to end.
	Stop(context.Context) error
}

// Start starts a service without waiting until it is ready.
type Start func(ctx context.Context, name string, e config.Environment, log io.Writer) (Running, error)

// pollEvery is the time between readiness checks.
const pollEvery = 20 * time.Millisecond

// AwaitReady waits until the service is ready. It returns an error if the service or ctx ends first.
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
