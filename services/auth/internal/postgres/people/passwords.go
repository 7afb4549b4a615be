package people

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/recovery"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Passwords stores password resets, and replaces passwords.
type Passwords struct{ DB *db.DB }

func (s *Passwords) AddPasswordReset(ctx context.Context, link credential.Digest, r recovery.Reset, m mail.Entry) error {
	return s.DB.TxInTime(ctx, "add password reset", func(t db.Transaction) error {
		q := t.Queries
		live, err := q.LivePasswordReset(ctx, sqlc.LivePasswordResetParams{
			EmailKey: r.EmailKey, At: r.CreatedAt, MadeAfter: r.CreatedAt.Add(-mail.ResetLife),
		})
		lives := err == nil
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		known, err := q.KnowsDevice(ctx, sqlc.KnowsDeviceParams{
			Hash: r.Device[:], EmailKey: r.EmailKey, At: r.CreatedAt, Most: session.DeviceFailures,
		})
		if err != nil {
			return err
		}
		// The fixed order of the budgets prevents deadlocks.
		budgets := []mail.Budget{mail.Resets}
		if lives {
			budgets = append(budgets, mail.ResetsAgain)
		}
		if known {
			budgets = append(budgets, mail.ResetsByKnown)
		}
		if may, err := outbox.SpendMail(ctx, q, m, budgets...); err != nil || !may {
			return err
		}
		if lives {
			m.Link = live.Link
			err = q.RenewPasswordReset(ctx, sqlc.RenewPasswordResetParams{Hash: live.Hash, ExpiresAt: r.ExpiresAt})
		} else {
			err = q.AddPasswordReset(ctx, sqlc.AddPasswordResetParams{
				Hash: link[:], EmailKey: r.EmailKey, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, Link: m.Link,
			})
		}
		if err != nil {
			return err
		}
		return outbox.AddMail(ctx, q, m)
	})
}

func (s *Passwords) PasswordReset(ctx context.Context, link credential.Digest, now time.Time) (p person.Person, hash string, err error) {
	row, err := s.DB.Q.GetPasswordReset(ctx, sqlc.GetPasswordResetParams{Hash: link[:], At: now})
	if err != nil {
		return person.Person{}, "", db.ErrorOf("password reset", err, maillink.ErrDead)
	}
	return PersonFromRow(row.Person), row.Person.PasswordHash, nil
}

func (s *Passwords) ResetPassword(ctx context.Context, link credential.Digest, c recovery.Change) error {
	return s.DB.TxInTime(ctx, "reset password", func(t db.Transaction) error {
		// To prevent deadlocks, lock the person before the link, as ChangePassword does.
		if _, err := t.Queries.LockPasswordOf(ctx, c.Person.ID); err != nil {
			return db.ErrorOf("person of a reset", err, maillink.ErrDead)
		}
		n, err := t.Queries.TakePasswordReset(ctx, sqlc.TakePasswordResetParams{Hash: link[:], At: c.At})
		if err != nil {
			return err
		}
		if n == 0 {
			return maillink.ErrDead
		}
		return replacePassword(ctx, t, c, maillink.ErrDead)
	})
}

func (s *Passwords) ChangePassword(ctx context.Context, c recovery.Change) error {
	return s.DB.TxInTime(ctx, "change password", func(t db.Transaction) error {
		if err := replacePassword(ctx, t, c, session.ErrProof); err != nil {
			return err
		}
		return confirmProof(ctx, t.Queries, session.Proof{Session: c.Kept, At: c.At})
	})
}

// confirmProof checks again whether the session is live and its proof is recent, because hashing a password takes a
// while. To prevent deadlocks, callers must lock the person first, as EndAllSessions does.
func confirmProof(ctx context.Context, q *sqlc.Queries, p session.Proof) error {
	provenAt, err := q.LockProof(ctx, sqlc.LockProofParams{Hash: p.Session[:], At: p.At})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return session.ErrEnded
	case err == nil && p.At.Sub(provenAt) >= session.ProofLife:
		return session.ErrProof
	}
	return err
}

// replacePassword sets the password, and ends the sessions and links that belong to the previous one. It returns the
// error overtaken if the password has been changed in the meantime.
func replacePassword(ctx context.Context, t db.Transaction, c recovery.Change, overtaken error) error {
	q := t.Queries
	n, err := q.SetPassword(ctx, sqlc.SetPasswordParams{ID: c.Person.ID, OldHash: c.OldHash, NewHash: c.NewHash, At: c.At})
	if err != nil {
		return err
	}
	if n == 0 {
		return overtaken
	}
	if err := q.EndSessionsOf(ctx, sqlc.EndSessionsOfParams{PersonID: c.Person.ID, Kept: c.Kept[:]}); err != nil {
		return err
	}
	if err := q.EndConsoleSessionsOf(ctx, c.Person.ID); err != nil {
		return err
	}
	if err := q.DropPasswordResets(ctx, person.EmailKey(c.Person.Email)); err != nil {
		return err
	}
	if err := outbox.AddNotice(ctx, q, c.Person.ID, c.Notice); err != nil {
		return err
	}
	return t.Record(ctx, audit.About{PersonID: c.Person.ID, ObjectID: c.Person.ID})
}
