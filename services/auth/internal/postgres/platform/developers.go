package platform

import (
	"context"
	"strconv"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func AccountFromRow(row sqlc.Account) account.Account {
	return account.Account{
		ID: row.ID, Name: row.Name, Email: row.Email, Plan: planFromRow(row),
		SuspendedAt: row.SuspendedAt, SuspensionReason: row.SuspensionReason, CreatedAt: row.CreatedAt, VerifiedAt: row.VerifiedAt, ClosedAt: row.ClosedAt,
	}
}

func planFromRow(row sqlc.Account) account.Plan {
	p := account.Plan{Name: account.PlanName(row.Plan)}
	if row.PerMinute != nil && row.PerDay != nil {
		p.PerMinute, p.PerDay = *row.PerMinute, *row.PerDay
	}
	return p
}

// budget returns the values of a plan's budget columns, which are set only for a custom plan.
func budget(p account.Plan) (perMinute, perDay *int32) {
	if p.Name != account.Custom {
		return nil, nil
	}
	return &p.PerMinute, &p.PerDay
}

func (s *Accounts) Account(ctx context.Context, id string) (account.Account, error) {
	return readAccount(ctx, s.DB.Q, id)
}

func readAccount(ctx context.Context, q *sqlc.Queries, id string) (account.Account, error) {
	row, err := q.GetAccount(ctx, id)
	if err != nil {
		return account.Account{}, db.ErrorOf("account", err, account.ErrNotFound)
	}
	return AccountFromRow(row.Account), nil
}

func (s *Accounts) SuspendAccount(ctx context.Context, id, reason string, now time.Time, e *mail.Event) (account.Account, revocation.Entry, error) {
	return s.changeAccount(ctx, id, now, nil, func(q *sqlc.Queries) (sqlc.Account, error) {
		if err := tellOwnersIf(ctx, q, id, e, func(a sqlc.Account) bool {
			return a.SuspendedAt == nil || reason != "" && reason != a.SuspensionReason
		}); err != nil {
			return sqlc.Account{}, err
		}
		row, err := q.SuspendAccount(ctx, sqlc.SuspendAccountParams{ID: id, At: now, Reason: reason})
		return row.Account, err
	})
}

func (s *Accounts) ResumeAccount(ctx context.Context, id string, now time.Time, e *mail.Event) (account.Account, revocation.Entry, error) {
	return s.changeAccount(ctx, id, now, nil, func(q *sqlc.Queries) (sqlc.Account, error) {
		if err := tellOwnersIf(ctx, q, id, e, func(a sqlc.Account) bool { return a.SuspendedAt != nil }); err != nil {
			return sqlc.Account{}, err
		}
		row, err := q.ResumeAccount(ctx, id)
		return row.Account, err
	})
}

// tellOwnersIf locks an account and emails its owners about a change to its suspension, unless the call changes
// nothing.
func tellOwnersIf(ctx context.Context, q *sqlc.Queries, id string, e *mail.Event, changes func(sqlc.Account) bool) error {
	row, err := q.LockOpenAccount(ctx, id)
	if err != nil || !changes(row.Account) {
		return err
	}
	return outbox.TellOwners(ctx, q, "", e)
}

func (s *Accounts) SetPlan(ctx context.Context, id string, p account.Plan, now time.Time) (account.Account, revocation.Entry, error) {
	perMinute, perDay := budget(p)
	return s.changeAccount(ctx, id, now, planDetails(p), func(q *sqlc.Queries) (sqlc.Account, error) {
		row, err := q.SetAccountPlan(ctx, sqlc.SetAccountPlanParams{ID: id, Plan: string(p.Name), PerMinute: perMinute, PerDay: perDay})
		return row.Account, err
	})
}

// planDetails returns a plan's details for an audit event.
func planDetails(p account.Plan) map[string]string {
	details := map[string]string{audit.Plan: string(p.Name)}
	if p.Name == account.Custom {
		details[audit.PerMinute], details[audit.PerDay] = strconv.Itoa(int(p.PerMinute)), strconv.Itoa(int(p.PerDay))
	}
	return details
}

// changeAccount makes a change to an account that makes all of the account's records stale.
func (s *Accounts) changeAccount(ctx context.Context, id string, now time.Time, details map[string]string, change func(*sqlc.Queries) (sqlc.Account, error)) (account.Account, revocation.Entry, error) {
	var (
		row   sqlc.Account
		entry revocation.Entry
	)
	err := s.DB.Tx(ctx, "change account", func(t db.Transaction) (err error) {
		q := t.Queries
		if row, err = change(q); err != nil {
			return err
		}
		if entry, err = outbox.EnqueueAccount(ctx, q, id, now); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{AccountID: id, ObjectID: id, Details: details})
	})
	if err != nil {
		return account.Account{}, revocation.Entry{}, db.ErrorOf("change account", err, account.ErrNotFound)
	}
	return AccountFromRow(row), entry, nil
}
