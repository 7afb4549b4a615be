// Package newprofile makes candidate create the profiles of people who have signed up. The
// transaction that creates a person adds an entry with the name to an outbox. The entry is deleted
// when candidate has the profile (behaviour: accounts#the-profile-of-a-new-account). Candidate
// refuses a second profile, so repeated delivery does no harm.
package newprofile

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/services/auth/internal/people/person"
)

const (
	// every is how often the job reads the outbox. Most profiles are created immediately.
	every = 5 * time.Second
	batch = 50
	// within limits a call, because a person may be waiting for the sign-up.
	within = 2 * time.Second
)

// Entry is a profile that candidate does not have yet.
type Entry struct {
	Person person.Person
	Name   string
	// Language is a BCP 47 tag; empty if none is known.
	Language string
}

// Outbox keeps entries.
type Outbox interface {
	// NewProfiles lists entries, oldest first.
	NewProfiles(ctx context.Context, atMost int) ([]Entry, error)
	// NewProfile reads the entry of a person; false if there is none.
	NewProfile(ctx context.Context, personID string) (Entry, bool, error)
	// DropNewProfile deletes the entry of a person.
	DropNewProfile(ctx context.Context, personID string) error
}

// Profiles is the service candidate.
type Profiles interface {
	// Create creates a profile, if there is none yet.
	Create(ctx context.Context, e Entry) error
}

// Config configures Deliveries. All fields are required.
type Config struct {
	Outbox   Outbox
	Profiles Profiles
	Log      *slog.Logger
}

// Deliveries deliver the entries.
type Deliveries struct{ cfg Config }

// New returns Deliveries, or an error if a required field is missing.
func New(c Config) (*Deliveries, error) {
	if c.Outbox == nil || c.Profiles == nil || c.Log == nil {
		return nil, errors.New("newprofile: Outbox, Profiles and Log are required")
	}
	return &Deliveries{cfg: c}, nil
}

// Deliver tries to create the profile of a person now. If it fails, the job does it later.
func (d *Deliveries) Deliver(ctx context.Context, personID string) {
	e, found, err := d.cfg.Outbox.NewProfile(ctx, personID)
	if err == nil && found {
		err = d.deliver(ctx, e)
	}
	if err != nil {
		d.cfg.Log.WarnContext(ctx, "a profile waits for candidate", "person", personID, "error", err)
	}
}

// Job returns the job that delivers the remaining entries. Every replica runs it.
func (d *Deliveries) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot create a profile at candidate; trying again in the next round", Round: d.round}
}

// round tries every entry, even after an error.
func (d *Deliveries) round(ctx context.Context) error {
	entries, err := d.cfg.Outbox.NewProfiles(ctx, batch)
	if err != nil {
		return err
	}
	var faults []error
	for _, e := range entries {
		faults = append(faults, d.deliver(ctx, e))
	}
	return errors.Join(faults...)
}

func (d *Deliveries) deliver(ctx context.Context, e Entry) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := d.cfg.Profiles.Create(ctx, e); err != nil {
		return err
	}
	return d.cfg.Outbox.DropNewProfile(ctx, e.Person.ID)
}
