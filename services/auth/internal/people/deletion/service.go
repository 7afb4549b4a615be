package deletion

import (
	"context"
	"errors"
	"strings"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/person"
)

// Wait is how long a person can cancel the deletion (behaviour: account-data#seven-days-to-cancel). Emails and pages
// mention it.
const Wait = 7 * 24 * time.Hour

// ErrOnlyOwner is returned if the person is the only owner of a developer account.
var ErrOnlyOwner = errs.New(errs.Precondition, "ONLY_OWNER", "A developer account would have no owner.")

// Owned is a developer account whose only owner is the person.
type Owned struct{ ID, Name string }

// OnlyOwner returns ErrOnlyOwner with the names of the accounts.
func OnlyOwner(accounts []Owned) error {
	names := make([]string, len(accounts))
	for i, a := range accounts {
		names[i] = a.Name
	}
	return errs.New(errs.Precondition, ErrOnlyOwner.Code, "These developer accounts would have no owner: %s.", strings.Join(names, ", "))
}

// Config configures a Service. All fields are required.
type Config struct {
	Store       Store
	Connections Connections
	Revocations *revocation.Publisher
	Post        mail.Post
	Clock       clock.Clock
}

// Service accepts and cancels deletion requests, and deletes accounts.
type Service struct{ cfg Config }

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Connections == nil || c.Revocations == nil || c.Post.Clock == nil || c.Clock == nil {
		return nil, errors.New("deletion: Store, Connections, Revocations, Post and Clock are required")
	}
	return &Service{cfg: c}, nil
}

// Request schedules the deletion of an account in a week and returns when it will take place. When Request returns,
// no app has access any more. Errors: ErrOnlyOwner; person.ErrNotFound.
func (s *Service) Request(ctx context.Context, who person.Person, language string) (time.Time, error) {
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(who.ID), PersonID: who.ID, ObjectID: who.ID})
	now := s.cfg.Clock.Now()
	due, entries, err := s.cfg.Store.RequestDeletion(ctx, Request{
		PersonID: who.ID, At: now, DueAt: now.Add(Wait),
		Notice: s.cfg.Post.Notice(mail.DeletionRequested, mail.Occasion{Language: language}),
	})
	if err != nil {
		return time.Time{}, err
	}
	return due, s.publish(ctx, entries)
}

// OwnedAlone returns the open developer accounts that would be left without an owner, sorted by name.
func (s *Service) OwnedAlone(ctx context.Context, personID string) ([]Owned, error) {
	return s.cfg.Store.OwnedAlone(ctx, personID)
}

// Keep cancels the deletion if the person requested it.
func (s *Service) Keep(ctx context.Context, who person.Person, language string) error {
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(who.ID), PersonID: who.ID, ObjectID: who.ID})
	notice := s.cfg.Post.Notice(mail.AccountKept, mail.Occasion{Language: language})
	entries, err := s.cfg.Store.CancelDeletion(ctx, who.ID, s.cfg.Clock.Now(), notice)
	if err != nil {
		return err
	}
	return s.publish(ctx, entries)
}

func (s *Service) publish(ctx context.Context, entries []revocation.Entry) error {
	for _, e := range entries {
		if err := s.cfg.Revocations.Publish(ctx, e); err != nil {
			return err
		}
	}
	return nil
}
