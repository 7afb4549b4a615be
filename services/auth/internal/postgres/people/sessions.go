package people

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Sessions stores browser sessions and the browsers that accounts know.
type Sessions struct{ DB *db.DB }

func (s *Sessions) OpenSession(ctx context.Context, o session.Opening) error {
	return s.DB.TxInTime(ctx, "open session", func(t db.Transaction) error {
		q := t.Queries
		if err := q.OpenSession(ctx, sqlc.OpenSessionParams{
			Hash: o.Hash[:], PreviousHash: o.Previous[:], PersonID: o.PersonID, CreatedAt: o.CreatedAt, ExpiresAt: o.ExpiresAt,
			Browser: o.Browser.Name, System: o.Browser.System, Country: o.Country, Locale: o.Language,
		}); err != nil {
			return err
		}
		if err := outbox.AddNotice(ctx, q, o.PersonID, o.Notice); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{Action: audit.SignIn, By: audit.ByPerson(o.PersonID), PersonID: o.PersonID})
	})
}

func (s *Sessions) Session(ctx context.Context, hash credential.Digest, now time.Time, country *string) (session.Live, error) {
	row, err := s.DB.Q.GetSession(ctx, sqlc.GetSessionParams{Hash: hash[:], At: now})
	if err != nil {
		return session.Live{}, db.ErrorOf("session", err, session.ErrEnded)
	}
	elsewhere := country != nil && *country != row.Country
	if elsewhere || now.Sub(row.UsedAt) >= session.UseEvery {
		if err := s.DB.Q.NoteSessionUse(ctx, sqlc.NoteSessionUseParams{At: now, Country: country, Hash: hash[:]}); err != nil {
			return session.Live{}, db.ErrorOf("note use of a session", err, nil)
		}
	}
	live := session.Live{
		Person: PersonFromRow(row.Person), ExpiresAt: row.SessionExpiresAt, ProvenAt: row.ProvedAt,
		Browser: session.Browser{Name: row.Browser, System: row.System},
	}
	if row.DeletionDueAt != nil {
		live.DeletionDueAt = *row.DeletionDueAt
	}
	return live, nil
}

func (s *Sessions) NoteProof(ctx context.Context, hash credential.Digest, at time.Time) error {
	return s.DB.Tx(ctx, "note proof", func(t db.Transaction) error {
		if err := t.Queries.NoteProof(ctx, sqlc.NoteProofParams{At: at, Hash: hash[:]}); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{Action: audit.SessionProve})
	})
}

func (s *Sessions) CloseSession(ctx context.Context, hash credential.Digest) error {
	err := s.DB.Tx(ctx, "close session", func(t db.Transaction) error {
		q := t.Queries
		personID, err := q.CloseSession(ctx, hash[:])
		if err != nil {
			return err
		}
		return t.Record(ctx, audit.About{By: audit.ByPerson(personID), PersonID: personID})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}

func (s *Sessions) Sessions(ctx context.Context, personID string, own credential.Digest, now time.Time, atMost int) ([]session.Listed, error) {
	rows, err := s.DB.Q.ListSessions(ctx, sqlc.ListSessionsParams{
		PersonID: personID, At: now, AtMost: int32(atMost), ConsoleSince: now.Add(-session.ConsoleIdle),
	})
	all := make([]session.Listed, len(rows))
	for i, row := range rows {
		all[i] = session.Listed{
			ID: row.ID, Browser: session.Browser{Name: row.Browser, System: row.System}, Country: row.Country,
			CreatedAt: row.CreatedAt, UsedAt: row.UsedAt, Current: bytes.Equal(row.Hash, own[:]), AtConsole: row.AtConsole,
		}
	}
	return all, db.ErrorOf("list sessions", err, nil)
}

func (s *Sessions) EndSession(ctx context.Context, personID, id string) error {
	return s.DB.Tx(ctx, "end session", func(t db.Transaction) error {
		n, err := t.Queries.EndSession(ctx, sqlc.EndSessionParams{PersonID: personID, ID: id})
		if err != nil || n == 0 {
			return err
		}
		return t.Record(ctx, audit.About{By: audit.ByPerson(personID), PersonID: personID})
	})
}

func (s *Sessions) EndAllSessions(ctx context.Context, personID string) error {
	return s.DB.Tx(ctx, "end all sessions", func(t db.Transaction) error {
		// The person must be locked before the sessions; see confirmProof.
		if _, err := t.Queries.LockPasswordOf(ctx, personID); err != nil {
			return db.ErrorOf("person of sessions", err, session.ErrEnded)
		}
		if err := t.Queries.EndSessionsOf(ctx, sqlc.EndSessionsOfParams{PersonID: personID, Kept: []byte{}}); err != nil {
			return err
		}
		if err := t.Queries.EndConsoleSessionsOf(ctx, personID); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{By: audit.ByPerson(personID), PersonID: personID})
	})
}
