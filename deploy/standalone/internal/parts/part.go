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
	// Ready reports why the service is not ready, or nil.
	Ready(context.Context) error
	// Done is closed when the service has ended, for whatever reason.
	Done() <-chan struct{}
	// Err is the reason, after Done.
	Err() error
	// Stop lets running calls finish and waits until the service has ended.
	Stop(context.Context) error
}

// Start starts a service and does not wait until it is ready.
type Start func(ctx context.Context, name string, e config.Environment, log io.Writer) (Running, error)

// pollEvery is the interval of readiness checks.
const pollEvery = 20 * time.Millisecond

// AwaitReady waits until the service is ready, it ends, or ctx ends.
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
