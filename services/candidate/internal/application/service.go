package application

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
)

// Catalog knows the jobs. Service partnercatalog does.
type Catalog interface {
	// Posting gives a job as it is now. Errors: ErrJobNotFound; Unavailable when it
	// cannot be asked.
	Posting(ctx context.Context, jobID string) (Posting, error)
}

// Store keeps applications. Every method is atomic: it does all or nothing, the
// counts and the outbox included.
type Store interface {
	// Apply freezes what is submitted and adds the application.
	// Errors: profile.ErrProfileNotFound, profile.ErrCvNotFound, ErrResumeNotFound,
	// ErrAlreadyApplied.
	Apply(ctx context.Context, n New) (Row, error)
	// Move puts an application into the stage to, at the time at or, if the last
	// change was later, then. Nothing happens if allowed refuses what it is asked
	// with the present stage, which no one else changes meanwhile.
	// Errors: ErrApplicationNotFound; those of allowed.
	Move(ctx context.Context, id string, to Status, at time.Time, allowed func(from Status) error) (Row, error)
	// List gives a page of a job's applications, newest first.
	List(ctx context.Context, f Filter, p Page) (List, error)
}

// Counted is told that a job has one more application.
type Counted interface {
	// Wake returns at once.
	Wake()
}

// Service is the use cases of applications.
type Service struct {
	store   Store
	catalog Catalog
	counted Counted
	clock   clock.Clock
}

// NewService makes the use cases.
func NewService(store Store, catalog Catalog, counted Counted, clk clock.Clock) (*Service, error) {
	if store == nil || catalog == nil || counted == nil || clk == nil {
		return nil, errors.New("application: a store, a catalog, a listener for counts and a clock are required")
	}
	return &Service{store: store, catalog: catalog, counted: counted, clock: clk}, nil
}
