// Package newprofile has candidate make the profiles of people who have signed up. The
// transaction that makes a person puts the name into an outbox; an entry is deleted when
// candidate has the profile (behaviour: accounts#the-profile-of-a-new-account).
//
// Candidate refuses a second profile of a person, so an entry that is sent twice does no
// harm.
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
	// every is the pause between two looks at the outbox. Most profiles are made at once.
	every = 5 * time.Second
	batch = 50
	// within bounds a call: somebody may be waiting for the answer to a sign-up.
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
	// NewProfiles lists entries, the oldest first.
	NewProfiles(ctx context.Context, atMost int) ([]Entry, error)
	// NewProfile reads the entry of a person; false without one.
	NewProfile(ctx context.Context, personID string) (Entry, bool, error)
	// DropNewProfile deletes the entry of a person.
	DropNewProfile(ctx context.Context, personID string) error
}

// Profiles is the service candidate.
type Profiles interface {
	// Create makes a profile, or finds that it is there.
	Create(ctx context.Context, e Entry) error
}

// Config is what Deliveries are made of. All fields are required.
type Config struct {
	Outbox   Outbox
	Profiles Profiles
	Log      *slog.Logger
}

// Deliveries have profiles made.
type Deliveries struct{ cfg Config }

// New makes Deliveries.
func New(c Config) (*Deliveries, error) {
	if c.Outbox == nil || c.Profiles == nil || c.Log == nil {
		return nil, errors.New("newprofile: Outbox, Profiles and Log are required")
	}
	return &Deliveries{cfg: c}, nil
}

// Deliver makes the profile of one person now, if it can. Otherwise the job does.
func (d *Deliveries) Deliver(ctx context.Context, personID string) {
	e, found, err := d.cfg.Outbox.NewProfile(ctx, personID)
	if err == nil && found {
		err = d.deliver(ctx, e)
	}
	if err != nil {
		d.cfg.Log.WarnContext(ctx, "a profile waits for candidate", "person", personID, "error", err)
	}
}

// Job makes the job that delivers what is left. Every replica runs it.
func (d *Deliveries) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot create a profile at candidate; trying again in the next round", Round: d.round}
}

// round tries each entry, so that one which candidate refuses keeps no other back.
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
