package application

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
)

// Catalog reads jobs. Service partnercatalog implements it.
type Catalog interface {
	// Posting gives a job as it is now. Errors: ErrJobNotFound; Unavailable if the
	// catalog cannot be reached.
	Posting(ctx context.Context, jobID string) (Posting, error)
	// AppOf gives the app that manages the company of a job. Errors: as those of Posting.
	AppOf(ctx context.Context, jobID string) (string, error)
}

// Store keeps applications. Every method is atomic: it does all or nothing, the
// counts and the outbox included.
type Store interface {
	// Apply freezes what is submitted and adds the application.
	// Errors: profile.ErrProfileNotFound, profile.ErrCvNotFound, ErrResumeNotFound,
	// ErrAlreadyApplied.
	Apply(ctx context.Context, n New) (Row, error)
	// Move puts an application into the stage to. The change gets the time at, or the
	// time of the last change if that is later. Move calls allowed with the present
	// stage, which nobody else can change meanwhile, and does nothing if allowed returns
	// an error. Errors: ErrApplicationNotFound; those of allowed.
	Move(ctx context.Context, id string, to Status, at time.Time, allowed func(from Status) error) (Row, error)
	// List gives a page of a job's applications, newest first.
	List(ctx context.Context, f Filter, p Page) (List, error)
}

// Counted is woken when a job has one more application.
type Counted interface {
	// Wake returns at once.
	Wake()
}

// Config is what a Service needs. All fields are required.
type Config struct {
	Store   Store
	Catalog Catalog
	Counted Counted
	Clock   clock.Clock
}

// Service is the use cases of applications.
type Service struct {
	store   Store
	catalog Catalog
	counted Counted
	clock   clock.Clock
}

// NewService makes the use cases.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Catalog == nil || c.Counted == nil || c.Clock == nil {
		return nil, errors.New("application: Store, Catalog, Counted and Clock are required")
	}
	return &Service{store: c.Store, catalog: c.Catalog, counted: c.Counted, clock: c.Clock}, nil
}
