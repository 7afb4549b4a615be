package team

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/account"
)

// Members lists the members of an account, owners first. Errors:
// account.ErrNotFound.
func (s *Service) Members(ctx context.Context, accountID string) ([]Member, error) {
	if !fault.IsStorable(accountID) {
		return nil, account.ErrNotFound
	}
	return s.store.Members(ctx, accountID)
}

// Add makes a person a member. Errors: account.ErrNotFound, person.ErrNotFound,
// ErrAlreadyMember.
func (s *Service) Add(ctx context.Context, accountID, personID string, role Role) (Member, error) {
	audit.FromContext(ctx).Note(audit.About{AccountID: accountID})
	switch {
	case !fault.IsStorable(accountID):
		return Member{}, account.ErrNotFound
	case !fault.IsStorable(personID):
		return Member{}, person.ErrNotFound
	}
	return s.store.AddMember(ctx, Member{AccountID: accountID, PersonID: personID, Role: role, CreatedAt: s.clock.Now()})
}

// SetRole changes a member's role. Errors: account.ErrNotFound, ErrMemberNotFound,
// ErrLastOwner.
func (s *Service) SetRole(ctx context.Context, accountID, personID string, role Role) (Member, error) {
	return s.change(ctx, accountID, personID, role)
}

// Remove removes a member. From then on, the person's calls concerning the account are rejected. Errors:
// account.ErrNotFound, ErrMemberNotFound, ErrLastOwner.
func (s *Service) Remove(ctx context.Context, accountID, personID string) error {
	_, err := s.change(ctx, accountID, personID, "")
	return err
}

func (s *Service) change(ctx context.Context, accountID, personID string, role Role) (Member, error) {
	audit.FromContext(ctx).Note(audit.About{AccountID: accountID})
	switch {
	case !fault.IsStorable(accountID):
		return Member{}, account.ErrNotFound
	case !fault.IsStorable(personID):
		return Member{}, ErrMemberNotFound
	}
	return s.store.ChangeMember(ctx, accountID, personID, func(present Role, owners int) (Role, error) {
		if present == Owner && role != Owner && owners <= 1 {
			return "", ErrLastOwner
		}
		return role, nil
	})
}
