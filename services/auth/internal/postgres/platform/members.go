package platform

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/team"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Teams stores the members of developer accounts, and the invitations to them.
type Teams struct{ DB *db.DB }

func memberFromRow(row sqlc.Member, email, name string) team.Member {
	return team.Member{
		AccountID: row.AccountID, PersonID: row.PersonID, Name: name, Email: email, Role: team.Role(row.Role), CreatedAt: row.CreatedAt,
	}
}

func (s *Teams) Place(ctx context.Context, personID string, thing team.Thing, id string) (team.Place, error) {
	// All of these queries return the same three columns.
	var row sqlc.MemberOfAccountRow
	var err error
	switch thing {
	case team.Account:
		row, err = s.DB.Q.MemberOfAccount(ctx, sqlc.MemberOfAccountParams{PersonID: personID, ID: id})
	case team.App:
		var found sqlc.MemberOfAppRow
		found, err = s.DB.Q.MemberOfApp(ctx, sqlc.MemberOfAppParams{PersonID: personID, ID: id})
		row = sqlc.MemberOfAccountRow(found)
	case team.APIKey:
		var found sqlc.MemberOfApiKeyRow
		found, err = s.DB.Q.MemberOfApiKey(ctx, sqlc.MemberOfApiKeyParams{PersonID: personID, ID: id})
		row = sqlc.MemberOfAccountRow(found)
	case team.ClientSecret:
		var found sqlc.MemberOfClientSecretRow
		found, err = s.DB.Q.MemberOfClientSecret(ctx, sqlc.MemberOfClientSecretParams{PersonID: personID, ID: id})
		row = sqlc.MemberOfAccountRow(found)
	case team.Invitation:
		var found sqlc.MemberOfInvitationRow
		found, err = s.DB.Q.MemberOfInvitation(ctx, sqlc.MemberOfInvitationParams{PersonID: personID, ID: id})
		row = sqlc.MemberOfAccountRow(found)
	default:
		return team.Place{}, team.ErrMemberNotFound
	}
	if err != nil {
		return team.Place{}, db.ErrorOf("place of a person", err, team.ErrMemberNotFound)
	}
	return team.Place{AccountID: row.AccountID, Role: team.Role(row.Role), Suspended: row.Suspended}, nil
}

func (s *Teams) Memberships(ctx context.Context, personID string) ([]team.Membership, error) {
	rows, err := s.DB.Q.ListMemberships(ctx, personID)
	if err != nil {
		return nil, db.ErrorOf("list memberships", err, nil)
	}
	all := make([]team.Membership, 0, len(rows))
	for _, row := range rows {
		all = append(all, team.Membership{Account: AccountFromRow(row.Account), Role: team.Role(row.Role)})
	}
	return all, nil
}

func (s *Teams) Members(ctx context.Context, accountID string) ([]team.Member, error) {
	if _, err := readAccount(ctx, s.DB.Q, accountID); err != nil {
		return nil, err
	}
	rows, err := s.DB.Q.ListMembers(ctx, accountID)
	if err != nil {
		return nil, db.ErrorOf("list members", err, nil)
	}
	all := make([]team.Member, 0, len(rows))
	for _, row := range rows {
		all = append(all, memberFromRow(row.Member, row.Email, row.Name))
	}
	return all, nil
}

func (s *Teams) AddMember(ctx context.Context, m team.Member) (added team.Member, err error) {
	err = s.DB.TxInTime(ctx, "add member", func(t db.Transaction) error {
		q := t.Queries
		if _, err := q.LockOpenAccount(ctx, m.AccountID); err != nil {
			return db.ErrorOf("lock account", err, account.ErrNotFound)
		}
		if added, err = insertMember(ctx, q, m); err != nil {
			return err
		}
		return t.Record(ctx, aboutMember(m.AccountID, m.PersonID, m.Role))
	})
	return added, err
}

// insertMember adds a member. The caller must have locked the account.
func insertMember(ctx context.Context, q *sqlc.Queries, m team.Member) (team.Member, error) {
	n, err := q.AddMember(ctx, sqlc.AddMemberParams{AccountID: m.AccountID, PersonID: m.PersonID, Role: string(m.Role), CreatedAt: m.CreatedAt})
	switch {
	case db.NoParent(err):
		return team.Member{}, person.ErrNotFound
	case err != nil:
		return team.Member{}, err
	case n == 0:
		return team.Member{}, team.ErrAlreadyMember
	}
	row, err := q.GetMember(ctx, sqlc.GetMemberParams{AccountID: m.AccountID, PersonID: m.PersonID})
	return memberFromRow(row.Member, row.Email, row.Name), err
}

// aboutMember returns the audit event for a change to a team. The event's person is the member who was changed.
func aboutMember(accountID, personID string, role team.Role) audit.About {
	about := audit.About{AccountID: accountID, PersonID: personID, ObjectID: personID}
	if role != "" {
		about.Details = map[string]string{audit.Role: string(role)}
	}
	return about
}

func (s *Teams) ChangeMember(ctx context.Context, accountID, personID string, change team.RoleChange) (changed team.Member, err error) {
	err = s.DB.TxInTime(ctx, "change member", func(t db.Transaction) error {
		q := t.Queries
		if _, err := q.LockOpenAccount(ctx, accountID); err != nil {
			return db.ErrorOf("lock account", err, account.ErrNotFound)
		}
		row, err := q.GetMember(ctx, sqlc.GetMemberParams{AccountID: accountID, PersonID: personID})
		if err != nil {
			return db.ErrorOf("member", err, team.ErrMemberNotFound)
		}
		owners, err := q.CountOwners(ctx, sqlc.CountOwnersParams{AccountID: accountID, PersonID: personID})
		if err != nil {
			return err
		}
		changed = memberFromRow(row.Member, row.Email, row.Name)
		role, err := change(changed.Role, int(owners))
		if err != nil {
			return err
		}
		if role == "" {
			err = q.RemoveMember(ctx, sqlc.RemoveMemberParams{AccountID: accountID, PersonID: personID})
		} else {
			changed.Role = role
			err = q.SetMemberRole(ctx, sqlc.SetMemberRoleParams{AccountID: accountID, PersonID: personID, Role: string(role)})
		}
		if err != nil {
			return err
		}
		if err := q.EndInvitationsOf(ctx, sqlc.EndInvitationsOfParams{AccountID: accountID, PersonID: personID, Roles: role.Above()}); err != nil {
			return err
		}
		return t.Record(ctx, aboutMember(accountID, personID, role))
	})
	return changed, err
}
