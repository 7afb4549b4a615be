// Package platform stores developer accounts, their apps, teams and invitations, and developer console sessions.
package platform

import (
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/team"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Accounts stores developer accounts, their plans and plan requests.
type Accounts struct{ DB *db.DB }

func (s *Accounts) CreateAccount(ctx context.Context, a account.Account, owner string) error {
	perMinute, perDay := budget(a.Plan)
	return s.DB.TxInTime(ctx, "create account", func(t db.Transaction) error {
		q := t.Queries
		if err := mayCreate(ctx, q, owner); err != nil {
			return err
		}
		if err := q.CreateAccount(ctx, sqlc.CreateAccountParams{
			ID: a.ID, Name: a.Name, Email: a.Email, Plan: string(a.Plan.Name),
			PerMinute: perMinute, PerDay: perDay, CreatedAt: a.CreatedAt, CreatedBy: owner,
		}); err != nil {
			return err
		}
		if owner != "" {
			if _, err := q.AddMember(ctx, sqlc.AddMemberParams{
				AccountID: a.ID, PersonID: owner, Role: string(team.Owner), CreatedAt: a.CreatedAt,
			}); err != nil {
				return err
			}
		}
		return t.Record(ctx, audit.About{AccountID: a.ID, ObjectID: a.ID, Details: planDetails(a.Plan)})
	})
}

// mayCreate returns an error if a person may not create another account. It locks the person, so that concurrent
// creations are all counted.
func mayCreate(ctx context.Context, q *sqlc.Queries, owner string) error {
	if owner == "" {
		return nil
	}
	verified, err := q.LockPerson(ctx, owner)
	if err != nil {
		return err
	}
	if !verified {
		return account.ErrEmailNotVerified
	}
	made, err := q.CountCreatedAccounts(ctx, owner)
	if err == nil && made >= account.MostCreated {
		err = account.ErrTooManyAccounts
	}
	return err
}

func (s *Accounts) Accounts(ctx context.Context, q account.Query) ([]account.Listed, error) {
	rows, err := s.DB.Q.ListAccounts(ctx, sqlc.ListAccountsParams{
		Text: q.Text, AfterName: q.After.Name, AfterID: q.After.ID, AtMost: int32(q.AtMost),
	})
	if err != nil {
		return nil, db.ErrorOf("list accounts", err, nil)
	}
	all := make([]account.Listed, 0, len(rows))
	for _, row := range rows {
		a := AccountFromRow(row.Account)
		all = append(all, account.Listed{Account: a, Position: account.Position{Name: row.Position, ID: a.ID}})
	}
	return all, nil
}

func (s *Accounts) UpdateAccount(ctx context.Context, id string, change func(account.Account) (account.Account, error)) (account.Account, error) {
	var changed account.Account
	err := s.DB.TxInTime(ctx, "update account", func(t db.Transaction) error {
		q := t.Queries
		locked, err := q.LockOpenAccount(ctx, id)
		if err != nil {
			return db.ErrorOf("lock account", err, account.ErrNotFound)
		}
		wanted, err := change(AccountFromRow(locked.Account))
		if err != nil {
			return err
		}
		row, err := q.UpdateAccount(ctx, sqlc.UpdateAccountParams{ID: id, Name: wanted.Name, Email: wanted.Email})
		if err != nil {
			return err
		}
		changed = AccountFromRow(row.Account)
		return t.Record(ctx, audit.About{AccountID: id, ObjectID: id})
	})
	return changed, err
}

func (s *Accounts) VerifiedNames(ctx context.Context, besides string) ([]string, error) {
	names, err := s.DB.Q.ListVerifiedNames(ctx, besides)
	return names, db.ErrorOf("list verified names", err, nil)
}

func (s *Accounts) VerifyAccount(ctx context.Context, id string, now time.Time) (account.Account, error) {
	return s.changeVerification(ctx, id, func(q *sqlc.Queries) (sqlc.Account, error) {
		row, err := q.VerifyAccount(ctx, sqlc.VerifyAccountParams{ID: id, At: now})
		return row.Account, err
	})
}

func (s *Accounts) UnverifyAccount(ctx context.Context, id string) (account.Account, error) {
	return s.changeVerification(ctx, id, func(q *sqlc.Queries) (sqlc.Account, error) {
		row, err := q.UnverifyAccount(ctx, id)
		return row.Account, err
	})
}

func (s *Accounts) changeVerification(ctx context.Context, id string, change func(*sqlc.Queries) (sqlc.Account, error)) (account.Account, error) {
	var changed account.Account
	err := s.DB.TxInTime(ctx, "change verification", func(t db.Transaction) error {
		q := t.Queries
		row, err := change(q)
		if err != nil {
			return db.ErrorOf("change verification", err, account.ErrNotFound)
		}
		changed = AccountFromRow(row)
		return t.Record(ctx, audit.About{AccountID: id, ObjectID: id})
	})
	return changed, err
}

func (s *Accounts) CloseAccount(ctx context.Context, id string, now time.Time, check func(account.Account) error) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "close account", func(t db.Transaction) error {
		q := t.Queries
		locked, err := q.LockOpenAccount(ctx, id)
		if err != nil {
			return db.ErrorOf("lock account", err, account.ErrNotFound)
		}
		if err := check(AccountFromRow(locked.Account)); err != nil {
			return err
		}
		if err := q.CloseAccount(ctx, sqlc.CloseAccountParams{ID: id, At: now}); err != nil {
			return err
		}
		apps, err := q.LockAppsOfAccount(ctx, id)
		if err != nil {
			return err
		}
		if err := deleteApps(ctx, q, apps, now); err != nil {
			return err
		}
		if err := q.DeleteOpenPlanRequests(ctx, id); err != nil {
			return err
		}
		if err := q.DeleteAccountInvitations(ctx, id); err != nil {
			return err
		}
		if err := q.RemoveMembers(ctx, id); err != nil {
			return err
		}
		if entry, err = outbox.EnqueueAccount(ctx, q, id, now); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{AccountID: id, ObjectID: id})
	})
	return entry, err
}
