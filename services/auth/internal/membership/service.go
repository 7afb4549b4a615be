package membership

import (
	"context"
	"errors"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/console"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/session"
)

// Sessions knows who is signed in to the console.
type Sessions interface {
	// Session gives session.ErrEnded.
	Session(ctx context.Context, secret string) (console.Session, error)
}

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store    Store
	Sessions Sessions
	Clock    clock.Clock
}

// Service decides on calls for people, and manages teams.
type Service struct {
	store    Store
	sessions Sessions
	clock    clock.Clock
}

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Sessions == nil || c.Clock == nil {
		return nil, errors.New("membership: Store, Sessions and Clock are required")
	}
	return &Service{store: c.Store, sessions: c.Sessions, clock: c.Clock}, nil
}

// Need is what a method asks of the person for whom it is called.
type Need struct {
	// Role is the least one in the account of the thing; empty if any person may call.
	Role Role
	// Thing and ID say what the call is about.
	Thing Thing
	ID    string
	// OwnID is the person that the request names, where naming oneself is enough.
	OwnID string
	// WhileSuspended is true for a method that changes nothing.
	WhileSuspended bool
	// Proven is true for a method that asks for a recent proof that the person is there, unless the
	// person names themselves.
	Proven bool
}

// Admit gives a context with the person of a session, if the person may do what is needed.
// Errors: session.ErrEnded; the one of the thing that is not there for the person; ErrRole;
// developer.ErrSuspended; session.ErrProof.
func (s *Service) Admit(ctx context.Context, secret string, need Need) (context.Context, error) {
	live, err := s.sessions.Session(ctx, secret)
	if err != nil {
		return ctx, err
	}
	caller := Caller{Session: live}
	if need.Role == "" {
		return NewContext(ctx, caller), nil
	}
	place, err := s.place(ctx, live.Person.ID, need)
	if err != nil {
		return ctx, err
	}
	audit.FromContext(ctx).Note(audit.About{AccountID: place.AccountID})
	caller.AccountID, caller.Role = place.AccountID, place.Role
	switch {
	case !place.Role.AtLeast(need.Role) && need.OwnID != live.Person.ID:
		return ctx, ErrRole
	case place.Suspended && !need.WhileSuspended:
		return ctx, developer.ErrSuspended
	case need.Proven && need.OwnID != live.Person.ID && !live.Proven:
		return ctx, session.ErrProof
	}
	return NewContext(ctx, caller), nil
}

// place finds the account of a thing. What a person tries on things of others is no event
// of theirs.
func (s *Service) place(ctx context.Context, personID string, need Need) (Place, error) {
	place, err := Place{}, error(ErrMemberNotFound)
	if fault.IsStorable(need.ID) {
		place, err = s.store.Place(ctx, personID, need.Thing, need.ID)
	}
	if errors.Is(err, ErrMemberNotFound) {
		audit.FromContext(ctx).Note(audit.About{Elsewhere: true})
		return Place{}, unknown[need.Thing]
	}
	return place, err
}

// Memberships lists the accounts of a person, by name.
func (s *Service) Memberships(ctx context.Context, personID string) ([]Membership, error) {
	return s.store.Memberships(ctx, personID)
}
