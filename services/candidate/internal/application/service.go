package application

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
)

// Catalog reads jobs. The partnercatalog service implements it.
type Catalog interface {
	// Posting returns the current data of a job. It returns ErrJobNotFound, or an Unavailable error
	// if the catalog cannot be reached.
	Posting(ctx context.Context, jobID string) (Posting, error)
	// AppOf returns the app that manages the job's company. It returns the same errors as Posting.
	AppOf(ctx context.Context, jobID string) (string, error)
}

// Store stores applications. Every method is atomic and includes the counts and the outbox.
type Store interface {
	// Apply copies the submitted CV and adds the application. It returns
	// profile.ErrProfileNotFound, profile.ErrCvNotFound, ErrResumeNotFound or ErrAlreadyApplied.
	Apply(ctx context.Context, n New) (Row, error)
	// Move changes an application's stage to the one given in to. The time of the change is the one
	// given in at, or that of the last change if it is later. Move locks the application and calls
	// allowed with its current stage. If allowed returns an error, Move changes nothing and returns
	// that error. It returns ErrApplicationNotFound if there is no such application.
	Move(ctx context.Context, id string, to Status, at time.Time, allowed func(from Status) error) (Row, error)
	// List returns a page of a job's applications, newest first.
	List(ctx context.Context, f Filter, p Page) (List, error)
}

// Counted is notified when a job has received an application.
type Counted interface {
	// Wake must not block.
	Wake()
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Store   Store
	Catalog Catalog
	Counted Counted
	Clock   clock.Clock
}

// Service implements the use cases for applications.
type Service struct{ cfg Config }

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Catalog == nil || c.Counted == nil || c.Clock == nil {
		return nil, errors.New("application: Store, Catalog, Counted and Clock are required")
	}
	return &Service{c}, nil
}
