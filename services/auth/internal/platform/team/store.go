package team

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/platform/account"
)

// Place is a person's role in the account to which a resource belongs.
type Place struct {
	AccountID string
	Role      Role
	Suspended bool
}

// Member is a person in an account.
type Member struct {
	AccountID string
	PersonID  string
	// Name is the name in the person's profile, or empty for a person who isn't connected to the console.
	Name      string
	Email     string
	Role      Role
	CreatedAt time.Time
}

// Membership is an account in which a person has a role.
type Membership struct {
	Account account.Account
	Role    Role
}

// RoleChange returns a member's new role, given the current role and the number of owners. It returns "" if the
// member is to be removed.
type RoleChange func(present Role, owners int) (Role, error)

// Store stores members. Changes to the same account are serialized.
type Store interface {
	// Place returns the person's role in the account to which a resource belongs. It returns ErrMemberNotFound if
	// the resource is unknown, its account is closed, or the person is not a member.
	Place(ctx context.Context, personID string, thing Thing, id string) (Place, error)
	// Memberships lists a person's open accounts, ordered by name.
	Memberships(ctx context.Context, personID string) ([]Membership, error)
	// Members lists the members of an account. Errors: account.ErrNotFound.
	Members(ctx context.Context, accountID string) ([]Member, error)
	// AddMember adds a member. Errors: account.ErrNotFound, person.ErrNotFound, ErrAlreadyMember.
	AddMember(ctx context.Context, m Member) (Member, error)
	// ChangeMember applies change and returns the changed member. If the member was removed, it returns the member's
	// last state. Errors: account.ErrNotFound, ErrMemberNotFound, and all errors returned by change.
	ChangeMember(ctx context.Context, accountID, personID string, change RoleChange) (Member, error)
}
