package oauth

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/platform"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// clientFromRow converts a client together with the hashes of its live secrets. For each secret whose use must be
// recorded, toNote contains the secret's id.
func clientFromRow(row sqlc.App, suspendedAt *time.Time, hashes [][]byte, toNote []string) client.Client {
	c := client.Client{App: platform.AppFromRow(row), Suspended: suspendedAt != nil}
	for i, hash := range hashes {
		c.Secrets = append(c.Secrets, client.Secret{Hash: hash, ToNote: toNote[i]})
	}
	return c
}

func (s *Grants) Client(ctx context.Context, clientID string, now time.Time) (client.Client, error) {
	row, err := s.DB.Q.GetClient(ctx, sqlc.GetClientParams{ClientID: clientID, At: now})
	if err != nil {
		return client.Client{}, db.ErrorOf("client", err, client.ErrInvalid)
	}
	c := clientFromRow(row.App, row.AccountSuspendedAt, row.SecretHashes, row.SecretsToNote)
	c.Publisher = client.Publisher{Name: row.AccountName, Verified: row.AccountVerifiedAt != nil, Own: row.App.IsConsole}
	return c, nil
}

func (s *Grants) NoteSecretUse(ctx context.Context, id string, now time.Time) error {
	return db.ErrorOf("note secret use", s.DB.Q.NoteSecretUse(ctx, sqlc.NoteSecretUseParams{ID: id, At: now}), nil)
}
