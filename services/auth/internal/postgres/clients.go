package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ client.Store = (*Store)(nil)

// clientFromRow takes the hashes of the live secrets, and beside each the id that is to
// be noted.
func clientFromRow(row sqlc.App, suspendedAt *time.Time, hashes [][]byte, toNote []string) client.Client {
	c := client.Client{App: appFromRow(row), Suspended: suspendedAt != nil}
	for i, hash := range hashes {
		c.Secrets = append(c.Secrets, client.Secret{Hash: hash, ToNote: toNote[i]})
	}
	return c
}

func (s *Store) Client(ctx context.Context, clientID string, now time.Time) (client.Client, error) {
	row, err := s.q.GetClient(ctx, sqlc.GetClientParams{ClientID: clientID, At: now})
	if err != nil {
		return client.Client{}, errorOf("client", err, client.ErrInvalid)
	}
	c := clientFromRow(row.App, row.AccountSuspendedAt, row.SecretHashes, row.SecretsToNote)
	c.Publisher = client.Publisher{Name: row.AccountName, Verified: row.AccountVerifiedAt != nil, Own: row.App.IsConsole}
	return c, nil
}

func (s *Store) NoteSecretUse(ctx context.Context, id string, now time.Time) error {
	return errorOf("note secret use", s.q.NoteSecretUse(ctx, sqlc.NoteSecretUseParams{ID: id, At: now}), nil)
}
