// Package connection is about the apps that a person has connected: what they
// see, and the end of it (spec: User control).
//
// It must never show or change a connection of another person, and never answer
// before what it ended is refused everywhere.
package connection

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/scope"
)

// Connection is one person's consent to one app.
type Connection struct {
	ID       string
	App      developer.App
	PersonID string
	// Granted scopes; Scopes are those in force, without the CV while sharing is off.
	Granted, Scopes scope.Set
	// Sharing is the switch. It means something only with cv:read granted.
	Sharing    bool
	CvID       string
	SharePhoto bool
	// Legacy says that it is a consent of the older interface: to the profile as a
	// whole, with no CV to choose or to switch.
	Legacy    bool
	CreatedAt time.Time
}

// CvGranted reports whether the person granted cv:read at all.
func (c Connection) CvGranted() bool { return c.Granted.Has(scope.CVRead) }

// Errors of the package.
var (
	ErrNotFound = errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "There is no such connection.")
	// ErrNoCV is for a change of the CV sharing where no CV was granted.
	ErrNoCV = errs.New(errs.Precondition, "CV_NOT_GRANTED", "The app was not given a CV. Only a new consent can do that.")
)

// Store keeps connections.
type Store interface {
	// Connections lists a person's live connections, newest first.
	Connections(ctx context.Context, personID string) ([]Connection, error)
	// ChangeConnection locks the person's live connection and stores what change
	// makes of it (CvID and Sharing only); ErrNotFound, and change's error. It ends
	// the durable link when no CV is shared any more.
	ChangeConnection(ctx context.Context, personID, id string, now time.Time, change func(Connection) (Connection, error)) (Connection, forget.Order, error)
	// EndConnection ends the person's live connection with its codes, tokens and
	// links; ErrNotFound, with the order of an end before if that is still open.
	EndConnection(ctx context.Context, personID, id string, now time.Time) (forget.Order, error)
}

// Teller makes Redis forget what a committed change made stale.
type Teller interface {
	Tell(ctx context.Context, o forget.Order) error
}

// Connections manages connections.
type Connections struct {
	store  Store
	teller Teller
	clock  clock.Clock
}

// New makes a Connections.
func New(store Store, teller Teller, c clock.Clock) *Connections {
	return &Connections{store: store, teller: teller, clock: c}
}

// List gives a person's live connections, newest first.
func (c *Connections) List(ctx context.Context, personID string) ([]Connection, error) {
	return c.store.Connections(ctx, personID)
}

// Change is a change to a connection; nil fields stay.
type Change struct {
	CvID    *string
	Sharing *bool
}

// Update changes what an app sees. Errors: ErrNotFound, ErrNoCV; Invalid naming
// cv_id.
func (c *Connections) Update(ctx context.Context, personID, id string, change Change) (Connection, error) {
	if change.CvID != nil && !ValidCvID(*change.CvID) {
		return Connection{}, errs.New(errs.Invalid, "INVALID_ARGUMENT", "cv_id: is not a CV id").WithField("cv_id")
	}
	changed, order, err := c.store.ChangeConnection(ctx, personID, id, c.clock.Now(), change.apply)
	if err != nil {
		return Connection{}, err
	}
	return changed, c.teller.Tell(ctx, order)
}

func (ch Change) apply(c Connection) (Connection, error) {
	if c.Legacy {
		return c, ErrNoCV
	}
	if (ch.CvID != nil || (ch.Sharing != nil && *ch.Sharing)) && !c.CvGranted() {
		return c, ErrNoCV
	}
	if ch.CvID != nil {
		c.CvID = *ch.CvID
	}
	if ch.Sharing != nil {
		c.Sharing = *ch.Sharing
	}
	return c, nil
}

// Disconnect ends a connection: its tokens, codes and durable links are refused
// everywhere when it returns, also if one before it ended them. Errors:
// ErrNotFound.
func (c *Connections) Disconnect(ctx context.Context, personID, id string) error {
	order, err := c.store.EndConnection(ctx, personID, id, c.clock.Now())
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if untold := c.teller.Tell(ctx, order); untold != nil {
		return untold
	}
	return err
}
