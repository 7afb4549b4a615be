// Package invitation manages invitations to the teams of developer accounts
// (behaviour: console#invitations).
//
// It must never reveal an invitation to anyone except the person with the invited email address,
// and it must never accept an invitation twice.
package invitation

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/team"
)

const (
	// life is how long an invitation can be accepted.
	life = mail.InvitationLife
	// MostOpen is the maximum number of open invitations per account.
	MostOpen = 50
)

// ErrTooMany is returned if the account already has MostOpen open invitations.
var ErrTooMany = errs.New(errs.Precondition, "TOO_MANY_INVITATIONS", "The account has %d open invitations. Withdraw one first.", MostOpen)

// Invitation is an open invitation, but without its secret.
type Invitation struct {
	ID        string
	AccountID string
	Email     string
	Role      team.Role
	// CreatedBy identifies who created the invitation: the id of a person, or the name in a calling service's
	// certificate.
	CreatedBy            string
	CreatedAt, ExpiresAt time.Time
}

// Offer is an invitation as shown to the invited person.
type Offer struct {
	Invitation
	AccountName string
	Suspended   bool
}

// Check returns an error unless the offer is for the person who presents its secret.
type Check func(Offer) error

// Store stores invitations. Changes to the same account are serialized.
type Store interface {
	// CreateInvitation stores an invitation and replaces any open invitation to the same email address. It also
	// queues the email, unless email is nil or a limit has been reached (behaviour: accounts#email-budgets), and
	// reports whether it queued the email. Errors: account.ErrNotFound, team.ErrAlreadyMember, ErrTooMany.
	CreateInvitation(ctx context.Context, i Invitation, hash credential.Digest, e *mail.Entry) (emailed bool, err error)
	// Invitations lists an account's open invitations, newest first. Errors: account.ErrNotFound.
	Invitations(ctx context.Context, accountID string, now time.Time) ([]Invitation, error)
	// WithdrawInvitation deletes an open invitation. Errors: team.ErrInvitationNotFound.
	WithdrawInvitation(ctx context.Context, id string, now time.Time) error
	// Invitation returns the offer that an open invitation makes. Errors: team.ErrInvitationNotFound.
	Invitation(ctx context.Context, hash credential.Digest, now time.Time) (Offer, error)
	// AcceptInvitation consumes the invitation, adds the person as a member, and notifies the owners if e is not
	// nil. If it returns team.ErrInvitationNotFound or an error returned by check, the invitation stays open. If the
	// person is already a member, it returns team.ErrAlreadyMember, but still consumes the invitation.
	AcceptInvitation(ctx context.Context, hash credential.Digest, personID string, now time.Time, check Check, e *mail.Event) (Offer, error)
}

// Config configures a Service. All fields except Post are required.
type Config struct {
	Store Store
	Links *maillink.Links
	Clock clock.Clock
	// Post creates the emails. Its zero value creates none.
	Post mail.Post
}

// Service manages invitations.
type Service struct {
	store Store
	links *maillink.Links
	clock clock.Clock
	post  mail.Post
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Links == nil || c.Clock == nil {
		return nil, errors.New("invitation: Store, Links and Clock are required")
	}
	return &Service{store: c.Store, links: c.Links, clock: c.Clock, post: c.Post}, nil
}

// Made is a new invitation together with its secret.
type Made struct {
	Invitation
	Secret string
	// Emailed reports whether the secret is also sent to the invited email address.
	Emailed bool
}

// Create creates an invitation on behalf of the given person or service, and returns it together with its secret.
// Errors: account.ErrNotFound, team.ErrAlreadyMember, ErrTooMany; Invalid for email.
func (s *Service) Create(ctx context.Context, accountID, email string, role team.Role, by string) (Made, error) {
	audit.FromContext(ctx).Note(audit.About{AccountID: accountID})
	faults := fault.Argument()
	email = emailaddress.Check(faults, "email", email)
	if err := faults.Err(); err != nil {
		return Made{}, err
	}
	if !fault.IsStorable(accountID) {
		return Made{}, account.ErrNotFound
	}
	now, link := s.clock.Now(), maillink.NewID()
	i := Invitation{
		ID: id.New("inv"), AccountID: accountID, Email: email, Role: role, CreatedBy: by, CreatedAt: now, ExpiresAt: now.Add(life),
	}
	made := Made{Invitation: i, Secret: s.links.Token(link)}
	emailed, err := s.store.CreateInvitation(ctx, i, credential.Hash(made.Secret), s.email(i, link))
	made.Emailed = emailed
	return made, err
}

// email returns the email that contains the link, or nil if no email is sent.
func (s *Service) email(i Invitation, link string) *mail.Entry {
	if !s.post.On || !s.post.Console {
		return nil
	}
	e := mail.NewEntry(mail.Invitation, i.Email, person.EmailKey(i.Email), link, "", i.CreatedAt)
	e.AccountID = i.AccountID
	return &e
}

// List returns an account's open invitations, newest first. Errors: account.ErrNotFound.
func (s *Service) List(ctx context.Context, accountID string) ([]Invitation, error) {
	if !fault.IsStorable(accountID) {
		return nil, account.ErrNotFound
	}
	return s.store.Invitations(ctx, accountID, s.clock.Now())
}

// Withdraw withdraws an open invitation. Errors: team.ErrInvitationNotFound.
func (s *Service) Withdraw(ctx context.Context, invitationID string) error {
	if !fault.IsStorable(invitationID) {
		return team.ErrInvitationNotFound
	}
	return s.store.WithdrawInvitation(ctx, invitationID, s.clock.Now())
}

// Offer returns the offer that an invitation makes to a person. Errors: all errors returned by Accept, except
// team.ErrAlreadyMember.
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

// Accept makes a person a member of the account to which they were invited. An invitation can be accepted only once.
// Errors: team.ErrInvitationNotFound, account.ErrEmailNotVerified, account.ErrSuspended, team.ErrAlreadyMember.
func (s *Service) Accept(ctx context.Context, secret string, by person.Person) (Offer, error) {
	return s.store.AcceptInvitation(ctx, credential.Hash(secret), by.ID, s.clock.Now(), isFor(by), s.post.Event(mail.MemberJoined, "", "", by.ID))
}

// isFor returns a Check that accepts only offers made to the person's verified email address.
func isFor(p person.Person) Check {
	return func(o Offer) error {
		switch {
		case person.EmailKey(o.Email) != person.EmailKey(p.Email):
			return team.ErrInvitationNotFound
		case !p.EmailVerified:
			return account.ErrEmailNotVerified
		case o.Suspended:
			return account.ErrSuspended
		}
		return nil
	}
}
