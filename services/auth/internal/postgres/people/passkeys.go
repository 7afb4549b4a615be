package people

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Passkeys stores passkeys and their ceremonies.
type Passkeys struct{ DB *db.DB }

func (s *Passkeys) AddCeremony(ctx context.Context, challenge credential.Digest, c passkey.Ceremony) error {
	return db.ErrorOf("add ceremony", s.DB.Q.AddCeremony(ctx, sqlc.AddCeremonyParams{
		Hash: challenge[:], Purpose: string(c.Purpose), Binding: c.Binding[:], State: c.State, ExpiresAt: c.ExpiresAt,
	}), nil)
}

func (s *Passkeys) TakeCeremony(ctx context.Context, challenge credential.Digest) (passkey.Ceremony, error) {
	row, err := s.DB.Q.TakeCeremony(ctx, challenge[:])
	if err != nil {
		return passkey.Ceremony{}, db.ErrorOf("take ceremony", err, passkey.ErrOver)
	}
	c := passkey.Ceremony{Purpose: passkey.Purpose(row.Purpose), State: row.State, ExpiresAt: row.ExpiresAt}
	copy(c.Binding[:], row.Binding)
	return c, nil
}

func (s *Passkeys) AddPasskey(ctx context.Context, p passkey.Passkey, in session.Proof, n *mail.Notice) error {
	return passkeyTakenOr(s.DB.TxInTime(ctx, "add passkey", func(t db.Transaction) error {
		if _, err := t.Queries.LockPasswordOf(ctx, p.PersonID); err != nil {
			return err
		}
		if err := confirmProof(ctx, t.Queries, in); err != nil {
			return err
		}
		held, err := t.Queries.CountPasskeys(ctx, p.PersonID)
		if err != nil {
			return err
		}
		if held >= passkey.MostPerPerson {
			return passkey.ErrMost
		}
		if err := addPasskey(ctx, t.Queries, p); err != nil {
			return err
		}
		if err := outbox.AddNotice(ctx, t.Queries, p.PersonID, n); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{PersonID: p.PersonID, ObjectID: p.ID})
	}))
}

func addPasskey(ctx context.Context, q *sqlc.Queries, p passkey.Passkey) error {
	return q.AddPasskey(ctx, sqlc.AddPasskeyParams{
		ID: p.ID, PersonID: p.PersonID, CredentialID: p.CredentialID, PublicKey: p.PublicKey, Flags: int16(p.Flags),
		SignCount: int64(p.SignCount), Aaguid: p.AAGUID, Transports: db.List(p.Transports), Name: p.Name, CreatedAt: p.CreatedAt,
	})
}

// passkeyTakenOr returns passkey.ErrExists if err is a unique violation. Otherwise, it returns err.
func passkeyTakenOr(err error) error {
	if postgres.IsUnique(err, "passkeys_credential") {
		return passkey.ErrExists
	}
	return err
}

func (s *Passkeys) Passkeys(ctx context.Context, personID string) ([]passkey.Passkey, bool, error) {
	rows, err := s.DB.Q.ListPasskeys(ctx, personID)
	if err != nil {
		return nil, false, db.ErrorOf("list passkeys", err, nil)
	}
	all := make([]passkey.Passkey, len(rows))
	for i, row := range rows {
		all[i] = passkeyFromRow(row.Passkey)
	}
	found, err := s.DB.Q.GetPerson(ctx, personID)
	return all, found.Person.PasswordHash != "", db.ErrorOf("person of passkeys", err, person.ErrNotFound)
}

func passkeyFromRow(row sqlc.Passkey) passkey.Passkey {
	return passkey.Passkey{
		ID: row.ID, PersonID: row.PersonID, Name: row.Name, CredentialID: row.CredentialID, PublicKey: row.PublicKey,
		Flags: byte(row.Flags), SignCount: uint32(row.SignCount), AAGUID: row.Aaguid, Transports: row.Transports,
		CreatedAt: row.CreatedAt, UsedAt: row.UsedAt,
	}
}

func (s *Passkeys) PasskeyByCredential(ctx context.Context, credentialID []byte) (passkey.Passkey, person.Person, error) {
	row, err := s.DB.Q.GetPasskey(ctx, credentialID)
	if err != nil {
		return passkey.Passkey{}, person.Person{}, db.ErrorOf("passkey", err, passkey.ErrUnknown)
	}
	return passkeyFromRow(row.Passkey), PersonFromRow(row.Person), nil
}

func (s *Passkeys) NotePasskeyUse(ctx context.Context, u passkey.Use) error {
	return s.DB.TxInTime(ctx, "note use of a passkey", func(t db.Transaction) error {
		n, err := t.Queries.NotePasskeyUse(ctx, sqlc.NotePasskeyUseParams{ID: u.ID, Flags: int16(u.Flags), SignCount: int64(u.SignCount), At: u.At})
		if err != nil {
			return err
		}
		if n == 0 {
			return passkey.ErrUnknown
		}
		if !u.CountBack {
			return nil
		}
		return t.Record(ctx, audit.About{
			Action: audit.PasskeyCountBack, By: audit.ByPerson(u.PersonID), PersonID: u.PersonID, Object: audit.Object{Type: "passkey", ID: u.ID},
		})
	})
}

func (s *Passkeys) RenamePasskey(ctx context.Context, personID, id, name string) error {
	return s.DB.TxInTime(ctx, "rename passkey", func(t db.Transaction) error {
		n, err := t.Queries.RenamePasskey(ctx, sqlc.RenamePasskeyParams{ID: id, PersonID: personID, Name: name})
		if err != nil {
			return err
		}
		if n == 0 {
			return passkey.ErrUnknown
		}
		return t.Record(ctx, audit.About{PersonID: personID, ObjectID: id})
	})
}

func (s *Passkeys) RemovePasskey(ctx context.Context, r passkey.Removal) error {
	return s.DB.TxInTime(ctx, "remove passkey", func(t db.Transaction) error {
		password, err := t.Queries.LockPasswordOf(ctx, r.PersonID)
		if err != nil {
			return err
		}
		if err := confirmProof(ctx, t.Queries, r.In); err != nil {
			return err
		}
		n, err := t.Queries.RemovePasskey(ctx, sqlc.RemovePasskeyParams{ID: r.PasskeyID, PersonID: r.PersonID})
		if err != nil || n == 0 {
			return err
		}
		left, err := t.Queries.CountPasskeys(ctx, r.PersonID)
		if err != nil {
			return err
		}
		if password == "" && left == 0 {
			return passkey.ErrLastWayIn
		}
		if err := outbox.AddNotice(ctx, t.Queries, r.PersonID, r.Notice); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{PersonID: r.PersonID, ObjectID: r.PasskeyID})
	})
}

// RemovePassword implements passkey.Store. It also deletes links with which a password could be set again.
func (s *Passkeys) RemovePassword(ctx context.Context, r passkey.Removal) error {
	return s.DB.TxInTime(ctx, "remove password", func(t db.Transaction) error {
		q := t.Queries
		password, err := q.LockPasswordOf(ctx, r.PersonID)
		if err != nil {
			return err
		}
		if err := confirmProof(ctx, q, r.In); err != nil || password == "" {
			return err
		}
		left, err := q.CountPasskeys(ctx, r.PersonID)
		if err != nil {
			return err
		}
		if left == 0 {
			return passkey.ErrLastWayIn
		}
		if err := q.RemovePassword(ctx, r.PersonID); err != nil {
			return err
		}
		if err := q.EndSessionsOf(ctx, sqlc.EndSessionsOfParams{PersonID: r.PersonID, Kept: r.In.Session[:]}); err != nil {
			return err
		}
		if err := q.EndConsoleSessionsOf(ctx, r.PersonID); err != nil {
			return err
		}
		if err := q.DropPasswordResets(ctx, person.EmailKey(r.Email)); err != nil {
			return err
		}
		if err := outbox.AddNotice(ctx, q, r.PersonID, r.Notice); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{PersonID: r.PersonID, ObjectID: r.PersonID})
	})
}
