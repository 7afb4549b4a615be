// Package invitation is about invitations to the teams of developer accounts
// (behaviour: console#invitations).
//
// It must never tell anybody but the person with the invited address that an invitation
// exists, and never let one work twice.
package invitation

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/membership"
	"vitae.internal/services/auth/internal/person"
)

const (
	// life is how long an invitation can be accepted.
	life = 7 * 24 * time.Hour
	// MostOpen is how many open invitations an account can have.
	MostOpen = 50
)

// ErrTooMany refuses one more open invitation.
var ErrTooMany = errs.New(errs.Precondition, "TOO_MANY_INVITATIONS", "The account has %d open invitations. Withdraw one first.", MostOpen)

// Invitation is an open invitation without its secret.
type Invitation struct {
	ID        string
	AccountID string
	Email     string
	Role      membership.Role
	// CreatedBy is the person, or the certificate name of the caller, who made it.
	CreatedBy            string
	CreatedAt, ExpiresAt time.Time
}

// Offer is an invitation with what the invited person needs to know of the account.
type Offer struct {
	Invitation
	AccountName string
	Suspended   bool
}

// Check decides whether an offer is for the person who has its secret.
type Check func(Offer) error

// Store keeps invitations. Changes of one account wait for each other.
type Store interface {
	// CreateInvitation takes the place of the open invitation to the address, if there is
	// one. Errors: developer.ErrAccountNotFound, membership.ErrAlreadyMember, ErrTooMany.
	CreateInvitation(ctx context.Context, i Invitation, hash credential.Digest) error
	// Invitations lists the open ones, newest first; developer.ErrAccountNotFound.
	Invitations(ctx context.Context, accountID string, now time.Time) ([]Invitation, error)
	// WithdrawInvitation gives membership.ErrInvitationNotFound.
	WithdrawInvitation(ctx context.Context, id string, now time.Time) error
	// Invitation gives membership.ErrInvitationNotFound.
	Invitation(ctx context.Context, hash credential.Digest, now time.Time) (Offer, error)
	// AcceptInvitation uses the invitation up and makes the person a member. Errors:
	// membership.ErrInvitationNotFound, those of check, after which it is still open, and
	// membership.ErrAlreadyMember, after which it is not.
	AcceptInvitation(ctx context.Context, hash credential.Digest, personID string, now time.Time, check Check) (Offer, error)
}

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
}

// Service manages invitations.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil {
		return nil, errors.New("invitation: Store and Clock are required")
	}
	return &Service{store: c.Store, clock: c.Clock}, nil
}

// Create makes an invitation and gives its secret. by is who makes it. Errors:
// developer.ErrAccountNotFound, membership.ErrAlreadyMember, ErrTooMany; Invalid naming email.
func (s *Service) Create(ctx context.Context, accountID, email string, role membership.Role, by string) (Invitation, string, error) {
	audit.FromContext(ctx).Note(audit.About{AccountID: accountID})
	faults := fault.Argument()
	email = emailaddress.Check(faults, "email", email)
	if err := faults.Err(); err != nil {
		return Invitation{}, "", err
	}
	if !fault.IsStorable(accountID) {
		return Invitation{}, "", developer.ErrAccountNotFound
	}
	now, secret := s.clock.Now(), rand.Text()+rand.Text() // 260 random bits
	i := Invitation{
		ID: id.New("inv"), AccountID: accountID, Email: email, Role: role, CreatedBy: by, CreatedAt: now, ExpiresAt: now.Add(life),
	}
	if err := s.store.CreateInvitation(ctx, i, credential.Hash(secret)); err != nil {
		return Invitation{}, "", err
	}
	return i, secret, nil
}

// List gives the open invitations to an account, newest first. Errors:
// developer.ErrAccountNotFound.
func (s *Service) List(ctx context.Context, accountID string) ([]Invitation, error) {
	if !fault.IsStorable(accountID) {
		return nil, developer.ErrAccountNotFound
	}
	return s.store.Invitations(ctx, accountID, s.clock.Now())
}

// Withdraw ends an open invitation. Errors: membership.ErrInvitationNotFound.
func (s *Service) Withdraw(ctx context.Context, invitationID string) error {
	if !fault.IsStorable(invitationID) {
		return membership.ErrInvitationNotFound
	}
	return s.store.WithdrawInvitation(ctx, invitationID, s.clock.Now())
}

// Offer reads what an invitation offers to a person. Errors: those of Accept, but
// membership.ErrAlreadyMember.
func (s *Service) Offer(ctx context.Context, secret string, to person.Person) (Offer, error) {
	o, err := s.store.Invitation(ctx, credential.Hash(secret), s.clock.Now())
	if err == nil {
		err = isFor(to)(o)
	}
	if err != nil {
		return Offer{}, err
	}
	return o, nil
}

// Accept makes a person a member by an invitation, once. Errors:
// membership.ErrInvitationNotFound, developer.ErrEmailNotVerified, developer.ErrSuspended,
// membership.ErrAlreadyMember.
func (s *Service) Accept(ctx context.Context, secret string, by person.Person) (Offer, error) {
	return s.store.AcceptInvitation(ctx, credential.Hash(secret), by.ID, s.clock.Now(), isFor(by))
}

// isFor lets a person have an invitation to the person's verified address.
func isFor(p person.Person) Check {
	return func(o Offer) error {
		switch {
		case person.EmailKey(o.Email) != person.EmailKey(p.Email):
			return membership.ErrInvitationNotFound
		case !p.EmailVerified:
			return developer.ErrEmailNotVerified
		case o.Suspended:
			return developer.ErrSuspended
		}
		return nil
	}
}
