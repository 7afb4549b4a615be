package membership

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/developer"
)

// Place is where a person stands in the account of a thing.
type Place struct {
	AccountID string
	Role      Role
	Suspended bool
}

// Member is a person in an account.
type Member struct {
	AccountID string
	PersonID  string
	// Name is that of the profile; empty for a person who is not connected to the console.
	Name      string
	Email     string
	Role      Role
	CreatedAt time.Time
}

// Membership is an account in which a person has a role.
type Membership struct {
	Account developer.Account
	Role    Role
}

// RoleChange gives the role that a member is to have, empty for none, from the present one
// and the number of owners.
type RoleChange func(present Role, owners int) (Role, error)

// Store keeps members. Changes of one account wait for each other.
type Store interface {
	// Place gives ErrMemberNotFound if the thing is unknown, of a closed account, or of one
	// that the person is no member of.
	Place(ctx context.Context, personID string, thing Thing, id string) (Place, error)
	// Memberships lists the accounts of a person that are not closed, by name.
	Memberships(ctx context.Context, personID string) ([]Membership, error)
	// Members lists the members of an account; developer.ErrAccountNotFound.
	Members(ctx context.Context, accountID string) ([]Member, error)
	// AddMember gives developer.ErrAccountNotFound, person.ErrNotFound, ErrAlreadyMember.
	AddMember(ctx context.Context, m Member) (Member, error)
	// ChangeMember gives developer.ErrAccountNotFound, ErrMemberNotFound, and the errors of
	// change. The member that it gives is the one before a removal.
	ChangeMember(ctx context.Context, accountID, personID string, change RoleChange) (Member, error)
}
