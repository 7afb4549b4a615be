package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/console"
	"vitae.internal/services/auth/internal/platform/developer"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ console.Store = (*Store)(nil)

// EnsureConsoleApp implements console.Store. If two replicas make the app at once, the one
// that is later finds the app of the other.
func (s *Store) EnsureConsoleApp(ctx context.Context, w console.Wanted, now time.Time) (developer.App, error) {
	app, err := s.changeConsoleApp(ctx, w, now)
	if errors.Is(err, pgx.ErrNoRows) {
		// The other replica's app has the same secret, which is stored before the app is marked.
		if err = s.makeConsoleApp(ctx, w); postgres.IsUnique(err, "apps_console") || postgres.IsUnique(err, "client_secrets_hash") {
			err = nil
		}
		if err == nil {
			app, err = s.changeConsoleApp(ctx, w, now)
		}
	}
	return app, errorOf("console app", err, nil)
}

func (s *Store) makeConsoleApp(ctx context.Context, w console.Wanted) error {
	a := w.App
	return s.txInTime(ctx, "make console app", func(t transaction) error {
		q := t.Queries
		if err := q.CreateAccount(ctx, sqlc.CreateAccountParams{
			ID: w.Account.ID, Name: w.Account.Name, Plan: string(w.Account.Plan.Name), CreatedAt: w.Account.CreatedAt,
		}); err != nil {
			return err
		}
		if err := q.CreateApp(ctx, sqlc.CreateAppParams{
			ID: a.ID, AccountID: a.AccountID, Name: a.Name, ClientID: a.ClientID, ClientType: string(a.ClientType),
			RedirectUris: list(a.RedirectURIs), Scopes: list(a.Scopes), CreatedAt: a.CreatedAt,
			SecretID: w.Secret.ID, SecretHash: w.Secret.Hash[:], CreatedBy: w.Secret.CreatedBy,
		}); err != nil {
			return err
		}
		return q.MarkConsoleApp(ctx, a.ID)
	})
}

// changeConsoleApp gives pgx.ErrNoRows if there is no such app.
func (s *Store) changeConsoleApp(ctx context.Context, w console.Wanted, now time.Time) (developer.App, error) {
	var app developer.App
	missing := false
	err := s.txInTime(ctx, "change console app", func(t transaction) error {
		q := t.Queries
		row, err := q.LockConsoleApp(ctx)
		if missing = errors.Is(err, pgx.ErrNoRows); missing {
			return nil
		}
		if err != nil {
			return err
		}
		app = appFromRow(row.App)
		app.RedirectURIs = []string{w.RedirectURI}
		if err := q.SetRedirectURIs(ctx, sqlc.SetRedirectURIsParams{ID: app.ID, RedirectUris: app.RedirectURIs}); err != nil {
			return err
		}
		// Vitae knows who is behind its own account, which people read of when they consent.
		if _, err := q.VerifyAccount(ctx, sqlc.VerifyAccountParams{ID: app.AccountID, At: now}); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		details, err := settleSecrets(ctx, q, app, w, now)
		if err != nil {
			return err
		}
		return t.record(ctx, audit.About{AccountID: app.AccountID, AppID: app.ID, ObjectID: app.ID, Details: details})
	})
	if err == nil && missing {
		err = pgx.ErrNoRows
	}
	return app, err
}

func settleSecrets(ctx context.Context, q *sqlc.Queries, app developer.App, w console.Wanted, now time.Time) (map[string]string, error) {
	rows, err := q.ListSecretHashes(ctx, sqlc.ListSecretHashesParams{AppID: app.ID, At: now})
	if err != nil {
		return nil, err
	}
	hashes := make([]console.Secret, len(rows))
	for i, row := range rows {
		hashes[i] = console.Secret{ID: row.ID, Hash: credential.Digest(row.Hash), ExpiresAt: row.ExpiresAt}
	}
	settled, held := w.Settle(hashes)
	before, err := liveSecrets(ctx, q, app.ID, now)
	if err != nil {
		return nil, err
	}
	var kept []developer.ClientSecret
	for _, k := range settled {
		kept = append(kept, developer.ClientSecret{ID: k.ID, ExpiresAt: k.ExpiresAt})
	}
	added := &w.Secret
	if held {
		added = nil
	}
	_, err = changeSecrets(ctx, q, app.ID, now, kept, added)
	return secretDetails(before, kept, added), err
}

func (s *Store) OpenConsoleSession(ctx context.Context, o console.Opening) error {
	return s.txInTime(ctx, "open console session", func(t transaction) error {
		q := t.Queries
		by, err := q.LiveConsoleToken(ctx, sqlc.LiveConsoleTokenParams{Hash: o.Token[:], At: o.CreatedAt})
		if err != nil {
			return errorOf("console token", err, session.ErrEnded)
		}
		err = q.OpenConsoleSession(ctx, sqlc.OpenConsoleSessionParams{
			Hash: o.Session[:], PersonID: by.PersonID, ConnectionID: by.ConnectionID, CreatedAt: o.CreatedAt, ExpiresAt: o.ExpiresAt,
			BrowserSession: by.BrowserSession,
		})
		if noParent(err) { // it has just been ended
			return session.ErrEnded
		}
		if err != nil {
			return err
		}
		if err := q.PutConsoleName(ctx, sqlc.PutConsoleNameParams{ConnectionID: by.ConnectionID, PersonID: by.PersonID, Name: o.Name}); err != nil {
			return err
		}
		return t.record(ctx, audit.About{By: audit.ByPerson(by.PersonID), PersonID: by.PersonID, AppID: by.AppID, AccountID: by.AccountID})
	})
}

func (s *Store) ConsoleSession(ctx context.Context, hash credential.Digest, now, since time.Time) (console.Session, error) {
	row, err := s.q.GetConsoleSession(ctx, sqlc.GetConsoleSessionParams{Hash: hash[:], At: now, UnusedSince: since})
	if err != nil {
		return console.Session{}, errorOf("console session", err, session.ErrEnded)
	}
	return console.Session{
		Person: personFromRow(row.Person), Name: row.Name, ExpiresAt: row.SessionExpiresAt, Hash: hash, UsedAt: row.UsedAt, ProvenAt: row.ProvedAt,
	}, nil
}

func (s *Store) NoteConsoleSessionUse(ctx context.Context, hash credential.Digest, now time.Time) error {
	return errorOf("note use of a console session", s.q.NoteConsoleSessionUse(ctx, sqlc.NoteConsoleSessionUseParams{Hash: hash[:], At: now}), nil)
}

func (s *Store) CloseConsoleSession(ctx context.Context, hash credential.Digest) error {
	return s.tx(ctx, "close console session", func(t transaction) error {
		q := t.Queries
		if err := q.CloseConsoleSession(ctx, hash[:]); err != nil {
			return err
		}
		return t.record(ctx, audit.About{})
	})
}

// TakeConsoleForm implements console.Store. Of two at once, one waits for the other and then
// finds the row.
func (s *Store) TakeConsoleForm(ctx context.Context, of credential.Digest, form string) error {
	taken, err := s.q.TakeConsoleForm(ctx, sqlc.TakeConsoleFormParams{Session: of[:], Form: form})
	if err == nil && taken == 0 {
		return console.ErrFormSent
	}
	return errorOf("take console form", err, nil)
}
