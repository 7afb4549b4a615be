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
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/signup"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// SignUps stores pending accounts, and the profiles that the candidate service has yet to create.
type SignUps struct{ DB *db.DB }

func (s *SignUps) AddSignUp(ctx context.Context, link credential.Digest, p signup.Pending, m mail.Entry) (added bool, err error) {
	err = s.DB.TxInTime(ctx, "add sign-up", func(t db.Transaction) (err error) {
		if added, err = outbox.SpendMail(ctx, t.Queries, m, mail.SignUps); err != nil || !added {
			return err
		}
		if err := t.Queries.AddSignUp(ctx, sqlc.AddSignUpParams{
			Hash: link[:], Email: p.Email, EmailKey: p.EmailKey, Name: p.Name, PasswordHash: p.PasswordHash, Locale: p.Language,
			CreatedAt: p.CreatedAt, ExpiresAt: p.ExpiresAt,
		}); err != nil {
			return err
		}
		return outbox.AddMail(ctx, t.Queries, m)
	})
	return added, err
}

func (s *SignUps) SignUp(ctx context.Context, link credential.Digest, now time.Time) (signup.Pending, error) {
	row, err := s.DB.Q.GetSignUp(ctx, sqlc.GetSignUpParams{Hash: link[:], At: now})
	if err != nil {
		return signup.Pending{}, db.ErrorOf("sign-up", err, maillink.ErrDead)
	}
	r := row.SignUp
	return signup.Pending{
		Email: r.Email, EmailKey: r.EmailKey, Name: r.Name, PasswordHash: r.PasswordHash, Language: r.Locale,
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt,
	}, nil
}

func (s *SignUps) CompleteSignUp(ctx context.Context, link credential.Digest, made person.Person, p signup.Pending, key *passkey.Passkey) error {
	hash := p.PasswordHash
	if key != nil {
		hash = ""
	}
	return passkeyTakenOr(takenOr(s.DB.TxInTime(ctx, "complete sign-up", func(t db.Transaction) error {
		q := t.Queries
		n, err := q.TakeSignUp(ctx, sqlc.TakeSignUpParams{Hash: link[:], At: made.CreatedAt})
		if err != nil {
			return err
		}
		if n == 0 {
			return maillink.ErrDead
		}
		if err := q.CreatePerson(ctx, sqlc.CreatePersonParams{
			ID: made.ID, Email: made.Email, EmailKey: p.EmailKey, EmailVerified: made.EmailVerified,
			PasswordHash: hash, CreatedAt: made.CreatedAt, Locale: &p.Language,
		}); err != nil {
			return err
		}
		if key != nil {
			if err := addPasskey(ctx, q, *key); err != nil {
				return err
			}
		}
		// Other sign-up requests for this email address are no longer valid.
		if err := q.DropSignUps(ctx, p.EmailKey); err != nil {
			return err
		}
		if err := q.AddNewProfile(ctx, sqlc.AddNewProfileParams{PersonID: made.ID, Name: p.Name, CreatedAt: made.CreatedAt}); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{
			By: audit.ByPerson(made.ID), PersonID: made.ID, Object: audit.Object{Type: "person", ID: made.ID},
		})
	})))
}

func (s *SignUps) NewProfiles(ctx context.Context, personID string, atMost int) ([]signup.NewProfile, error) {
	if personID != "" {
		row, err := s.DB.Q.GetNewProfile(ctx, personID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		return []signup.NewProfile{{Person: PersonFromRow(row.Person), Name: row.Name}}, db.ErrorOf("new profile", err, nil)
	}
	rows, err := s.DB.Q.ListNewProfiles(ctx, int32(atMost))
	profiles := make([]signup.NewProfile, len(rows))
	for i, row := range rows {
		profiles[i] = signup.NewProfile{Person: PersonFromRow(row.Person), Name: row.Name}
	}
	return profiles, db.ErrorOf("list new profiles", err, nil)
}

func (s *SignUps) DropNewProfile(ctx context.Context, personID string) error {
	return db.ErrorOf("drop new profile", s.DB.Q.DropNewProfile(ctx, personID), nil)
}
