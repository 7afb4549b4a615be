package people

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/deletion"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Deletions stores pending account deletions, and erases accounts.
type Deletions struct{ DB *db.DB }

func (s *Deletions) RequestDeletion(ctx context.Context, r deletion.Request) (due time.Time, entries []revocation.Entry, err error) {
	err = s.DB.TxInTime(ctx, "request deletion", func(t db.Transaction) error {
		entries = nil
		if _, err := t.Queries.LockPerson(ctx, r.PersonID); err != nil {
			return err
		}
		if err := t.Queries.LockOwnedAccounts(ctx, r.PersonID); err != nil {
			return err
		}
		owned, err := ownedAlone(ctx, t.Queries, r.PersonID)
		if err != nil {
			return err
		}
		if len(owned) > 0 {
			return deletion.OnlyOwner(owned)
		}
		added, err := t.Queries.AddDeletion(ctx, sqlc.AddDeletionParams{PersonID: r.PersonID, RequestedAt: r.At, DueAt: r.DueAt})
		if err != nil {
			return err
		}
		asked, err := t.Queries.GetDeletion(ctx, r.PersonID)
		if err != nil {
			return err
		}
		due = asked.DueAt
		if added == 0 {
			return nil
		}
		if entries, err = pauseAll(ctx, t.Queries, r); err != nil {
			return err
		}
		if err := outbox.AddNotice(ctx, t.Queries, r.PersonID, r.Notice); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{By: audit.ByPerson(r.PersonID), PersonID: r.PersonID, ObjectID: r.PersonID})
	})
	return due, entries, db.ErrorOf("request deletion", err, person.ErrNotFound)
}

func (s *Deletions) OwnedAlone(ctx context.Context, personID string) ([]deletion.Owned, error) {
	owned, err := ownedAlone(ctx, s.DB.Q, personID)
	return owned, db.ErrorOf("accounts without another owner", err, nil)
}

func ownedAlone(ctx context.Context, q *sqlc.Queries, personID string) ([]deletion.Owned, error) {
	rows, err := q.AccountsOnlyOwnedBy(ctx, personID)
	owned := make([]deletion.Owned, len(rows))
	for i, row := range rows {
		owned[i] = deletion.Owned{ID: row.ID, Name: row.Name}
	}
	return owned, err
}

// pauseAll pauses all of a person's connections, and returns the entries for their session records.
func pauseAll(ctx context.Context, q *sqlc.Queries, r deletion.Request) ([]revocation.Entry, error) {
	paused, err := q.PauseConnectionsOf(ctx, sqlc.PauseConnectionsOfParams{PersonID: r.PersonID, At: r.At})
	if err != nil {
		return nil, err
	}
	entries := make([]revocation.Entry, len(paused))
	for i, one := range paused {
		if entries[i], err = outbox.EnqueueConnection(ctx, q, one.AccountID, one.ID, r.At); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

func (s *Deletions) CancelDeletion(ctx context.Context, personID string, now time.Time, notice *mail.Notice) (entries []revocation.Entry, err error) {
	err = s.DB.Tx(ctx, "cancel deletion", func(t db.Transaction) error {
		asked, err := t.Queries.CancelDeletion(ctx, personID)
		if err != nil {
			return err
		}
		resumed, err := t.Queries.ResumeConnectionsOf(ctx, sqlc.ResumeConnectionsOfParams{PersonID: personID, PausedAt: asked})
		if err != nil {
			return err
		}
		entries = make([]revocation.Entry, len(resumed))
		for i, one := range resumed {
			if entries[i], err = outbox.EnqueueConnection(ctx, t.Queries, one.AccountID, one.ID, now); err != nil {
				return err
			}
		}
		if err := outbox.AddNotice(ctx, t.Queries, personID, notice); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{By: audit.ByPerson(personID), PersonID: personID, ObjectID: personID})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return entries, err
}

func (s *Deletions) LeaseDeletions(ctx context.Context, now, until time.Time, atMost int, steps ...int) ([]deletion.Due, error) {
	p := sqlc.LeaseDeletionsParams{At: now, Until: until, AtMost: int32(atMost)}
	for _, step := range steps {
		p.Passes = append(p.Passes, int32(step))
	}
	rows, err := s.DB.Q.LeaseDeletions(ctx, p)
	due := make([]deletion.Due, len(rows))
	for i, row := range rows {
		due[i] = deletion.Due{PersonID: row.PersonID, Step: int(row.Passes)}
	}
	return due, db.ErrorOf("lease deletions", err, nil)
}

// CloseSessions implements deletion.Store. It stores the email address in the deletion's row, because a later
// attempt may no longer find the person's row.
func (s *Deletions) CloseSessions(ctx context.Context, personID string) error {
	return s.DB.Tx(ctx, "close sessions", func(t db.Transaction) error {
		if _, err := t.Queries.LockPasswordOf(ctx, personID); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if err := t.Queries.NoteDeletionOf(ctx, personID); err != nil {
			return err
		}
		if err := t.Queries.EndSessionsOf(ctx, sqlc.EndSessionsOfParams{PersonID: personID, Kept: []byte{}}); err != nil {
			return err
		}
		return t.Queries.EndConsoleSessionsOf(ctx, personID)
	})
}

func (s *Deletions) LiveConnections(ctx context.Context, personID string) ([]string, error) {
	ids, err := s.DB.Q.LiveConnectionsOf(ctx, personID)
	return ids, db.ErrorOf("live connections", err, nil)
}

// errConnected is returned if the person has connected an app after all connections were ended. The deletion then
// starts over.
var errConnected = errors.New("an app was connected during the deletion")

// ErasePerson implements deletion.Store. It locks the person's row, so other transactions cannot add rows for the
// person.
func (s *Deletions) ErasePerson(ctx context.Context, personID string) error {
	err := s.DB.Tx(ctx, "erase person", func(t db.Transaction) error {
		if err := t.Queries.LockPersonToErase(ctx, personID); err != nil {
			return err
		}
		live, err := t.Queries.LiveConnectionsOf(ctx, personID)
		if err != nil {
			return err
		}
		if len(live) > 0 {
			return errConnected
		}
		if err := t.Queries.NoteDeletionOf(ctx, personID); err != nil {
			return err
		}
		d, err := t.Queries.GetDeletion(ctx, personID)
		if err != nil {
			return err
		}
		if err := t.Queries.EraseConnections(ctx, d.ConnectionIds); err != nil {
			return err
		}
		if err := eraseAddress(ctx, t.Queries, d.EmailKey); err != nil {
			return err
		}
		if err := t.Queries.EraseAuthorship(ctx, sqlc.EraseAuthorshipParams{PersonID: personID, EmailKey: d.EmailKey}); err != nil {
			return err
		}
		return t.Queries.ErasePerson(ctx, personID)
	})
	return db.ErrorOf("erase person", err, nil)
}

// EraseEvents implements deletion.Store. It runs without a statement timeout, because it reads the whole log:
// several columns can contain a person.
func (s *Deletions) EraseEvents(ctx context.Context, personID string) error {
	err := pgx.BeginFunc(ctx, s.DB.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "SELECT make_audit_events_nobodys($1)", personID)
		return err
	})
	return db.ErrorOf("make audit events nobody's", err, nil)
}

// eraseAddress deletes the rows that belong to an email address. The address is empty if the person's row was
// deleted before the address could be stored.
func eraseAddress(ctx context.Context, q *sqlc.Queries, emailKey string) error {
	if emailKey == "" {
		return nil
	}
	account := sha256.Sum256([]byte(emailKey))
	budgets := make([][]byte, len(mail.Budgets))
	for i, b := range mail.Budgets {
		budgets[i] = b.Of(emailKey)
	}
	return q.EraseAddress(ctx, sqlc.EraseAddressParams{EmailKey: emailKey, Account: account[:], Budgets: budgets})
}

func (s *Deletions) FinishStep(ctx context.Context, d deletion.Due, next time.Time) error {
	return db.ErrorOf("finish a step", s.DB.Q.FinishStep(ctx, sqlc.FinishStepParams{PersonID: d.PersonID, Passes: int32(d.Step), NextAt: next}), nil)
}

func (s *Deletions) DropDeletion(ctx context.Context, personID string) error {
	return db.ErrorOf("drop deletion", s.DB.Q.DropDeletion(ctx, personID), nil)
}
