package outbox

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// AddMail adds an email to the outbox, in the transaction of the change that the email reports.
func AddMail(ctx context.Context, q *sqlc.Queries, e mail.Entry) error {
	return q.AddMail(ctx, sqlc.AddMailParams{
		ID: e.ID, Kind: string(e.Kind), Email: e.Email, EmailKey: e.EmailKey, Link: e.Link, Locale: e.Language,
		CreatedAt: e.CreatedAt, ExpiresAt: e.ExpiresAt, AppID: e.AppID, AccountID: e.AccountID, SubjectID: e.SubjectID,
	})
}

// TellOwners adds an email to each owner of the event's account whose email address has not reached its limits
// (behaviour: console#emails-to-owners). It adds none if an operator took an action that members can also take.
func TellOwners(ctx context.Context, q *sqlc.Queries, by string, e *mail.Event) error {
	if e == nil {
		return nil
	}
	but := ""
	if e.Kind == mail.MemberJoined {
		but = e.SubjectID
	}
	owners, err := q.ListOwnersToTell(ctx, sqlc.ListOwnersToTellParams{AccountID: e.AccountID, By: by, ByOperators: e.ByOperators(), But: but})
	if err != nil {
		return err
	}
	for _, o := range owners { // events use the same order, so that they don't deadlock on the rows of the budgets
		entry, room := e.To(o.Email, o.EmailKey), true
		if !e.ByOperators() {
			room, err = SpendMail(ctx, q, entry, mail.Teams)
		}
		if err == nil && room {
			err = AddMail(ctx, q, entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// AddNotice adds an email to a person, in the transaction of the change that the email reports. n is nil if the
// deployment sends no email.
func AddNotice(ctx context.Context, q *sqlc.Queries, personID string, n *mail.Notice) error {
	if n == nil {
		return nil
	}
	return q.AddNotice(ctx, sqlc.AddNoticeParams{
		ID: n.ID, Kind: string(n.Kind), PersonID: personID, SessionHash: n.Session[:], AppID: n.AppID, Locale: n.Language,
		Browser: n.By.Browser, System: n.By.System, Country: n.By.Country,
		CreatedAt: n.CreatedAt, ExpiresAt: n.ExpiresAt,
	})
}

// SpendMail charges an email that anyone can request to the first of the address's budgets that is not exhausted. It
// returns false if all budgets are exhausted (behaviour: accounts#email-budgets).
func SpendMail(ctx context.Context, q *sqlc.Queries, e mail.Entry, budgets ...mail.Budget) (bool, error) {
	for _, b := range budgets {
		n, err := q.SpendMail(ctx, sqlc.SpendMailParams{
			Address: b.Of(e.EmailKey), First: e.CreatedAt.Add(mail.BudgetEvery), At: e.CreatedAt,
			EverySeconds: mail.BudgetEvery.Seconds(), Until: e.CreatedAt.Add(time.Duration(b.Burst()) * mail.BudgetEvery),
		})
		if err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}

func (s *Outbox) LeaseMail(ctx context.Context, now, until time.Time, atMost int) ([]mail.Due, error) {
	rows, err := s.DB.Q.LeaseMail(ctx, sqlc.LeaseMailParams{Until: until, At: now, AtMost: int32(atMost)})
	if err != nil {
		return nil, db.ErrorOf("lease mail", err, nil)
	}
	due := make([]mail.Due, len(rows))
	for i, row := range rows {
		due[i] = mail.Due{
			Entry: mail.Entry{
				ID: row.ID, Kind: mail.Kind(row.Kind), Email: row.Email, Link: row.Link, Language: row.Locale,
				CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt,
			},
			Browser: row.Browser, System: row.System, Country: row.Country, AppName: row.AppName,
			AccountName: row.AccountName, SuspensionReason: row.SuspensionReason, SuspendedAt: row.SuspendedAt, AccountVerified: row.AccountVerified, SubjectEmail: row.SubjectEmail, SubjectRole: row.SubjectRole,
			Attempts: int(row.Attempts), PersonID: row.PersonID, PersonEmail: row.PersonEmail, PersonLanguage: row.PersonLocale,
		}
	}
	return due, nil
}

func (s *Outbox) DeferMail(ctx context.Context, id string, at time.Time) error {
	return db.ErrorOf("defer mail", s.DB.Q.DeferMail(ctx, sqlc.DeferMailParams{DueAt: at, ID: id}), nil)
}

func (s *Outbox) DropMail(ctx context.Context, id string) error {
	return db.ErrorOf("drop mail", s.DB.Q.DropMail(ctx, id), nil)
}
