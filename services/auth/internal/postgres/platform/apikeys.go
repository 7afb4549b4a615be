package platform

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// CreateAPIKey implements app.Store. It locks the app. A concurrent deletion therefore either waits until the key
// has been created, or comes first, in which case CreateAPIKey finds no app.
func (s *Apps) CreateAPIKey(ctx context.Context, k app.APIKey, secret credential.Digest, e *mail.Event) error {
	return s.DB.TxInTime(ctx, "create API key", func(t db.Transaction) error {
		q := t.Queries
		owner, err := q.LockAppForKey(ctx, k.AppID)
		if err != nil {
			return db.ErrorOf("lock app for a key", err, app.ErrNotFound)
		}
		live, err := q.CountLiveApiKeys(ctx, sqlc.CountLiveApiKeysParams{AppID: k.AppID, At: k.CreatedAt})
		if err != nil {
			return err
		}
		if live >= app.MostKeys {
			return app.ErrTooManyKeys
		}
		if err := q.CreateApiKey(ctx, sqlc.CreateApiKeyParams{
			ID: k.ID, AppID: k.AppID, Name: k.Name, Hash: secret[:], Hint: k.Hint, Scopes: db.List(k.Scopes),
			ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt, CreatedBy: k.CreatedBy,
		}); err != nil {
			return err
		}
		if e != nil {
			e.AccountID = owner.App.AccountID
		}
		if err := outbox.TellOwners(ctx, q, k.CreatedBy, e); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{
			AccountID: owner.App.AccountID, AppID: k.AppID, ObjectID: k.ID, Details: db.ScopeDetails(k.Scopes),
		})
	})
}

func (s *Apps) APIKeys(ctx context.Context, appID string, deletedToo bool) ([]app.APIKey, error) {
	var (
		rows []sqlc.ApiKey
		err  error
	)
	if deletedToo {
		var found []sqlc.ListAllApiKeysRow
		found, err = s.DB.Q.ListAllApiKeys(ctx, appID)
		for _, row := range found {
			rows = append(rows, row.ApiKey)
		}
	} else {
		var found []sqlc.ListApiKeysRow
		found, err = s.DB.Q.ListApiKeys(ctx, appID)
		for _, row := range found {
			rows = append(rows, row.ApiKey)
		}
	}
	if err != nil {
		return nil, db.ErrorOf("list API keys", err, nil)
	}
	keys := make([]app.APIKey, len(rows))
	for i, k := range rows {
		keys[i] = app.APIKey{
			ID: k.ID, AppID: k.AppID, Name: k.Name, Scopes: scope.Stored(k.Scopes), ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt,
			Hint: k.Hint, CreatedBy: k.CreatedBy, LastUsedAt: k.LastUsedAt, DeletedAt: k.DeletedAt,
		}
	}
	return keys, nil
}

func (s *Apps) DeleteAPIKey(ctx context.Context, id string, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "delete API key", func(t db.Transaction) error {
		q := t.Queries
		deleted, err := q.DeleteApiKey(ctx, sqlc.DeleteApiKeyParams{ID: id, At: now})
		if err != nil {
			return err
		}
		if entry, err = outbox.EnqueueHash(ctx, q, deleted.AccountID, deleted.Hash, now); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{AccountID: deleted.AccountID, AppID: deleted.AppID, ObjectID: id})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		row, err := s.DB.Q.PendingApiKeyRevocation(ctx, id)
		return outbox.PendingEntry(row.RevocationEntry, err, app.ErrKeyNotFound)
	}
	return entry, err
}
