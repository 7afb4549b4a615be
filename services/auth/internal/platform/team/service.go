package team

import (
	"context"
	"errors"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/console"
)

// Sessions reads console sessions.
type Sessions interface {
	// Session returns session.ErrEnded for a session that is not live.
	Session(ctx context.Context, secret string) (console.Session, error)
}

// Config configures a Service. All fields are required.
type Config struct {
	Store    Store
	Sessions Sessions
	Clock    clock.Clock
}

// Service authorizes calls for people and manages teams.
type Service struct {
	store    Store
	sessions Sessions
	clock    clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Sessions == nil || c.Clock == nil {
		return nil, errors.New("team: Store, Sessions and Clock are required")
	}
	return &Service{store: c.Store, sessions: c.Sessions, clock: c.Clock}, nil
}

// Need describes what a method requires of its caller.
type Need struct {
	// Role is the minimum role in the account to which the resource belongs. It is empty if any person may call the
	// method.
	Role Role
	// Thing and id identify the resource that the call concerns.
	Thing Thing
	ID    string
	// OwnID is the id of the person named in the request, for methods that people may call about
	// themselves.
	OwnID string
	// WhileSuspended is true for a method that may be called while the account is suspended, because it changes
	// nothing.
	WhileSuspended bool
	// Proven is true for a method that requires a recent proof of presence. The requirement doesn't apply to people
	// who call the method about themselves.
	Proven bool
}

// Admit returns a context that carries the signed-in person if the person meets the need. Errors: session.ErrEnded;
// the resource's not-found error; ErrRole; account.ErrSuspended; session.ErrProof.
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
		return ctx, account.ErrSuspended
	case need.Proven && need.OwnID != live.Person.ID && !live.Proven:
		return ctx, session.ErrProof
	}
	return NewContext(ctx, caller), nil
}

// place returns the person's role in the account to which a resource belongs. If that is another account, the
// attempt is not recorded as an event of that account.
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

// Memberships lists a person's accounts, ordered by name.
func (s *Service) Memberships(ctx context.Context, personID string) ([]Membership, error) {
	return s.store.Memberships(ctx, personID)
}
