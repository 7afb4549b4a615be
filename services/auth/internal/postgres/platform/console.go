package platform

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/platform/console"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/people"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Console stores the console's app and its sessions.
type Console struct{ DB *db.DB }

// EnsureConsoleApp implements console.Store. If two replicas create the app concurrently, the later one finds the
// app that the other one created.
func (s *Console) EnsureConsoleApp(ctx context.Context, w console.Wanted, now time.Time) (app.App, error) {
	app, err := s.changeConsoleApp(ctx, w, now)
	if errors.Is(err, pgx.ErrNoRows) {
		// The other replica has created the app with the same secret, and has stored the secret before marking the
		// app.
		if err = s.makeConsoleApp(ctx, w); postgres.IsUnique(err, "apps_console") || postgres.IsUnique(err, "client_secrets_hash") {
			err = nil
		}
		if err == nil {
			app, err = s.changeConsoleApp(ctx, w, now)
		}
	}
	return app, db.ErrorOf("console app", err, nil)
}

func (s *Console) makeConsoleApp(ctx context.Context, w console.Wanted) error {
	a := w.App
	return s.DB.TxInTime(ctx, "make console app", func(t db.Transaction) error {
		q := t.Queries
		if err := q.CreateAccount(ctx, sqlc.CreateAccountParams{
			ID: w.Account.ID, Name: w.Account.Name, Plan: string(w.Account.Plan.Name), CreatedAt: w.Account.CreatedAt,
		}); err != nil {
			return err
		}
		if err := q.CreateApp(ctx, sqlc.CreateAppParams{
			ID: a.ID, AccountID: a.AccountID, Name: a.Name, ClientID: a.ClientID, ClientType: string(a.ClientType),
			RedirectUris: db.List(a.RedirectURIs), Scopes: db.List(a.Scopes), CreatedAt: a.CreatedAt,
			SecretID: w.Secret.ID, SecretHash: w.Secret.Hash[:], CreatedBy: w.Secret.CreatedBy,
		}); err != nil {
			return err
		}
		return q.MarkConsoleApp(ctx, a.ID)
	})
}

// changeConsoleApp changes the console's app. It returns pgx.ErrNoRows if there is no such app.
func (s *Console) changeConsoleApp(ctx context.Context, w console.Wanted, now time.Time) (app.App, error) {
	var app app.App
	missing := false
	err := s.DB.TxInTime(ctx, "change console app", func(t db.Transaction) error {
		q := t.Queries
		row, err := q.LockConsoleApp(ctx)
		if missing = errors.Is(err, pgx.ErrNoRows); missing {
			return nil
		}
		if err != nil {
			return err
		}
		app = AppFromRow(row.App)
		app.RedirectURIs = []string{w.RedirectURI}
		if err := q.SetRedirectURIs(ctx, sqlc.SetRedirectURIsParams{ID: app.ID, RedirectUris: app.RedirectURIs}); err != nil {
			return err
		}
		// Vitae's own account is verified, because people see its name on the consent page.
		if _, err := q.VerifyAccount(ctx, sqlc.VerifyAccountParams{ID: app.AccountID, At: now}); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		details, err := settleSecrets(ctx, q, app, w, now)
		if err != nil {
			return err
		}
		return t.Record(ctx, audit.About{AccountID: app.AccountID, AppID: app.ID, ObjectID: app.ID, Details: details})
	})
	if err == nil && missing {
		err = pgx.ErrNoRows
	}
	return app, err
}

func settleSecrets(ctx context.Context, q *sqlc.Queries, of app.App, w console.Wanted, now time.Time) (map[string]string, error) {
	rows, err := q.ListSecretHashes(ctx, sqlc.ListSecretHashesParams{AppID: of.ID, At: now})
	if err != nil {
		return nil, err
	}
	hashes := make([]console.Secret, len(rows))
	for i, row := range rows {
		hashes[i] = console.Secret{ID: row.ID, Hash: credential.Digest(row.Hash), ExpiresAt: row.ExpiresAt}
	}
	settled, held := w.Settle(hashes)
	before, err := liveSecrets(ctx, q, of.ID, now)
	if err != nil {
		return nil, err
	}
	var kept []app.ClientSecret
	for _, k := range settled {
		kept = append(kept, app.ClientSecret{ID: k.ID, ExpiresAt: k.ExpiresAt})
	}
	added := &w.Secret
	if held {
		added = nil
	}
	_, err = changeSecrets(ctx, q, of.ID, now, kept, added)
	return secretDetails(before, kept, added), err
}

func (s *Console) OpenConsoleSession(ctx context.Context, o console.Opening) error {
	return s.DB.TxInTime(ctx, "open console session", func(t db.Transaction) error {
		q := t.Queries
		by, err := q.LiveConsoleToken(ctx, sqlc.LiveConsoleTokenParams{Hash: o.Token[:], At: o.CreatedAt})
		if err != nil {
			return db.ErrorOf("console token", err, session.ErrEnded)
		}
		err = q.OpenConsoleSession(ctx, sqlc.OpenConsoleSessionParams{
			Hash: o.Session[:], PersonID: by.PersonID, ConnectionID: by.ConnectionID, CreatedAt: o.CreatedAt, ExpiresAt: o.ExpiresAt,
			BrowserSession: by.BrowserSession,
		})
		if db.NoParent(err) { // the connection or the browser session has just ended
			return session.ErrEnded
		}
		if err != nil {
			return err
		}
		if err := q.PutConsoleName(ctx, sqlc.PutConsoleNameParams{ConnectionID: by.ConnectionID, PersonID: by.PersonID, Name: o.Name}); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{By: audit.ByPerson(by.PersonID), PersonID: by.PersonID, AppID: by.AppID, AccountID: by.AccountID})
	})
}

func (s *Console) ConsoleSession(ctx context.Context, hash credential.Digest, now, since time.Time) (console.Session, error) {
	row, err := s.DB.Q.GetConsoleSession(ctx, sqlc.GetConsoleSessionParams{Hash: hash[:], At: now, UnusedSince: since})
	if err != nil {
		return console.Session{}, db.ErrorOf("console session", err, session.ErrEnded)
	}
	return console.Session{
		Person: people.PersonFromRow(row.Person), Name: row.Name, ExpiresAt: row.SessionExpiresAt, Hash: hash, UsedAt: row.UsedAt, ProvenAt: row.ProvedAt,
	}, nil
}

func (s *Console) NoteConsoleSessionUse(ctx context.Context, hash credential.Digest, now time.Time) error {
	return db.ErrorOf("note use of a console session", s.DB.Q.NoteConsoleSessionUse(ctx, sqlc.NoteConsoleSessionUseParams{Hash: hash[:], At: now}), nil)
}

func (s *Console) CloseConsoleSession(ctx context.Context, hash credential.Digest) error {
	return s.DB.Tx(ctx, "close console session", func(t db.Transaction) error {
		q := t.Queries
		if err := q.CloseConsoleSession(ctx, hash[:]); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{})
	})
}

// TakeConsoleForm implements console.Store. If two calls are made concurrently, the later one waits for the other
// and then finds its row.
func (s *Console) TakeConsoleForm(ctx context.Context, of credential.Digest, form string) error {
	taken, err := s.DB.Q.TakeConsoleForm(ctx, sqlc.TakeConsoleFormParams{Session: of[:], Form: form})
	if err == nil && taken == 0 {
		return console.ErrFormSent
	}
	return db.ErrorOf("take console form", err, nil)
}
