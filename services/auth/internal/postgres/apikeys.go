package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/revocation"
	"vitae.internal/services/auth/internal/scope"
)

// CreateAPIKey implements developer.Store.
func (s *Store) CreateAPIKey(ctx context.Context, k developer.APIKey, secret credential.Digest) error {
	err := s.txInTime(ctx, "create API key", func(t transaction) error {
		q := t.Queries
		if err := q.CreateApiKey(ctx, sqlc.CreateApiKeyParams{
			ID: k.ID, AppID: k.AppID, Name: k.Name, Hash: secret[:], Scopes: list(k.Scopes),
			ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt,
		}); err != nil {
			return err
		}
		owner, err := q.GetApp(ctx, k.AppID)
		if err != nil {
			return err
		}
		return t.record(ctx, audit.About{
			AccountID: owner.App.AccountID, AppID: k.AppID, ObjectID: k.ID, Details: scopeDetails(k.Scopes),
		})
	})
	if noParent(err) {
		return developer.ErrAppNotFound
	}
	return err
}

// APIKeys implements developer.Store.
func (s *Store) APIKeys(ctx context.Context, appID string) ([]developer.APIKey, error) {
	rows, err := s.q.ListApiKeys(ctx, appID)
	if err != nil {
		return nil, errorOf("list API keys", err, nil)
	}
	keys := make([]developer.APIKey, 0, len(rows))
	for _, row := range rows {
		k := row.ApiKey
		keys = append(keys, developer.APIKey{
			ID: k.ID, AppID: k.AppID, Name: k.Name, Scopes: scope.Stored(k.Scopes),
			ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt,
		})
	}
	return keys, nil
}

// DeleteAPIKey implements developer.Store.
func (s *Store) DeleteAPIKey(ctx context.Context, id string, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.tx(ctx, "delete API key", func(t transaction) error {
		q := t.Queries
		deleted, err := q.DeleteApiKey(ctx, sqlc.DeleteApiKeyParams{ID: id, At: now})
		if err != nil {
			return err
		}
		if entry, err = enqueueHash(ctx, q, deleted.AccountID, deleted.Hash, now); err != nil {
			return err
		}
		return t.record(ctx, audit.About{AccountID: deleted.AccountID, AppID: deleted.AppID, ObjectID: id})
	})
	if errors.Is(err, pgx.ErrNoRows) {
		row, err := s.q.PendingApiKeyRevocation(ctx, id)
		return pendingEntry(row.RevocationEntry, err, developer.ErrKeyNotFound)
	}
	return entry, err
}
