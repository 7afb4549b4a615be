package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/expiry"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ expiry.Store = (*Store)(nil)

func clientSecretsFromRows(rows []sqlc.ListClientSecretsRow) []developer.ClientSecret {
	secrets := make([]developer.ClientSecret, 0, len(rows))
	for _, r := range rows {
		s := r.ClientSecret
		secrets = append(secrets, developer.ClientSecret{
			ID: s.ID, AppID: s.AppID, CreatedAt: s.CreatedAt, CreatedBy: s.CreatedBy, LastUsedAt: s.LastUsedAt, ExpiresAt: s.ExpiresAt,
		})
	}
	return secrets
}

// CountEnding implements expiry.Store.
func (s *Store) CountEnding(ctx context.Context, after, until time.Time) (secrets, keys int64, err error) {
	if secrets, err = s.q.CountEndingSecrets(ctx, sqlc.CountEndingSecretsParams{After: &after, Until: &until}); err != nil {
		return 0, 0, errorOf("count ending secrets", err, nil)
	}
	keys, err = s.q.CountEndingApiKeys(ctx, sqlc.CountEndingApiKeysParams{After: &after, Until: &until})
	return secrets, keys, errorOf("count ending keys", err, nil)
}

// ClientSecrets implements developer.Store.
func (s *Store) ClientSecrets(ctx context.Context, appID string, now time.Time) ([]developer.ClientSecret, error) {
	rows, err := s.q.ListClientSecrets(ctx, sqlc.ListClientSecretsParams{AppID: appID, At: now})
	return clientSecretsFromRows(rows), errorOf("client secrets", err, nil)
}

// ChangeClientSecrets implements developer.Store.
func (s *Store) ChangeClientSecrets(ctx context.Context, appID string, now time.Time, change developer.SecretChange) (developer.App, []developer.ClientSecret, error) {
	var (
		app  developer.App
		live []developer.ClientSecret
	)
	err := s.txInTime(ctx, "change client secrets", func(t transaction) error {
		q := t.Queries
		row, err := q.LockApp(ctx, appID)
		if err != nil {
			return errorOf("lock app", err, developer.ErrAppNotFound)
		}
		app = appFromRow(row.App)
		var details map[string]string
		if live, details, err = changeSecrets(ctx, q, app, now, change); err != nil {
			return err
		}
		return t.record(ctx, audit.About{AccountID: app.AccountID, AppID: appID, Details: details})
	})
	return app, live, err
}

// changeSecrets gives the live secrets after the change, and what the audit log holds of it.
func changeSecrets(ctx context.Context, q *sqlc.Queries, app developer.App, now time.Time, change developer.SecretChange) ([]developer.ClientSecret, map[string]string, error) {
	listed := sqlc.ListClientSecretsParams{AppID: app.ID, At: now}
	rows, err := q.ListClientSecrets(ctx, listed)
	if err != nil {
		return nil, nil, err
	}
	before := clientSecretsFromRows(rows)
	kept, added, err := change(app, before)
	if err != nil {
		return nil, nil, err
	}
	ids := []string{}
	for _, k := range kept {
		ids = append(ids, k.ID)
		if err := q.SetClientSecretEnd(ctx, sqlc.SetClientSecretEndParams{ID: k.ID, ExpiresAt: k.ExpiresAt}); err != nil {
			return nil, nil, err
		}
	}
	if err := q.KeepClientSecrets(ctx, sqlc.KeepClientSecretsParams{AppID: app.ID, Ids: ids}); err != nil {
		return nil, nil, err
	}
	if added != nil {
		if err := q.AddClientSecret(ctx, sqlc.AddClientSecretParams{
			ID: added.ID, AppID: app.ID, Hash: added.Hash[:], At: now, CreatedBy: added.CreatedBy,
		}); err != nil {
			return nil, nil, err
		}
	}
	if err := q.SetNewestSecret(ctx, app.ID); err != nil {
		return nil, nil, err
	}
	rows, err = q.ListClientSecrets(ctx, listed)
	return clientSecretsFromRows(rows), secretDetails(before, ids, added), err
}

// secretDetails are what the audit log holds of a change: which secret was made, and which
// of those before were not kept.
func secretDetails(before []developer.ClientSecret, kept []string, added *developer.NewSecret) map[string]string {
	details := map[string]string{}
	if added != nil {
		details[audit.Secret] = added.ID
	}
	var ended []string
	for _, s := range before {
		if !slices.Contains(kept, s.ID) {
			ended = append(ended, s.ID)
		}
	}
	if len(ended) > 0 {
		details[audit.EndedSecrets] = strings.Join(ended, " ")
	}
	return details
}

// AppOfSecret implements developer.Store.
func (s *Store) AppOfSecret(ctx context.Context, id string) (string, error) {
	appID, err := s.q.AppOfSecret(ctx, id)
	return appID, errorOf("app of secret", err, developer.ErrSecretNotFound)
}
