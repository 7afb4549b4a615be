package platform

import (
	"context"
	"slices"
	"strings"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func clientSecretsFromRows(rows []sqlc.ListClientSecretsRow) []app.ClientSecret {
	secrets := make([]app.ClientSecret, 0, len(rows))
	for _, r := range rows {
		s := r.ClientSecret
		secrets = append(secrets, app.ClientSecret{
			ID: s.ID, AppID: s.AppID, CreatedAt: s.CreatedAt, CreatedBy: s.CreatedBy, LastUsedAt: s.LastUsedAt, ExpiresAt: s.ExpiresAt,
		})
	}
	return secrets
}

func (s *Apps) ClientSecrets(ctx context.Context, appID string, now time.Time) ([]app.ClientSecret, error) {
	rows, err := s.DB.Q.ListClientSecrets(ctx, sqlc.ListClientSecretsParams{AppID: appID, At: now})
	return clientSecretsFromRows(rows), db.ErrorOf("client secrets", err, nil)
}

func (s *Apps) ChangeClientSecrets(ctx context.Context, appID string, now time.Time, change app.SecretChange) (app.ChangedSecrets, error) {
	var done app.ChangedSecrets
	err := s.DB.TxInTime(ctx, "change client secrets", func(t db.Transaction) error {
		q := t.Queries
		row, err := q.LockApp(ctx, appID)
		if err != nil {
			return db.ErrorOf("lock app", err, app.ErrNotFound)
		}
		done.App = AppFromRow(row.App)
		before, err := liveSecrets(ctx, q, appID, now)
		if err != nil {
			return err
		}
		kept, added, err := change(done.App, before)
		if err != nil {
			return err
		}
		if done.Live, err = changeSecrets(ctx, q, appID, now, kept, added); err != nil {
			return err
		}
		if done.Revocation, err = enqueueSecrets(ctx, q, done.App, before, kept, now); err != nil {
			return err
		}
		if added != nil && added.Event != nil {
			added.Event.AccountID = done.App.AccountID
			if err := outbox.TellOwners(ctx, q, added.CreatedBy, added.Event); err != nil {
				return err
			}
		}
		return t.Record(ctx, audit.About{AccountID: done.App.AccountID, AppID: appID, Details: secretDetails(before, kept, added)})
	})
	return done, err
}

func liveSecrets(ctx context.Context, q *sqlc.Queries, appID string, now time.Time) ([]app.ClientSecret, error) {
	rows, err := q.ListClientSecrets(ctx, sqlc.ListClientSecretsParams{AppID: appID, At: now})
	return clientSecretsFromRows(rows), err
}

// changeSecrets stores a change to an app's secrets, and returns the live secrets.
func changeSecrets(ctx context.Context, q *sqlc.Queries, appID string, now time.Time, kept []app.ClientSecret, added *app.NewSecret) ([]app.ClientSecret, error) {
	ids := []string{}
	for _, k := range kept {
		ids = append(ids, k.ID)
		if err := q.SetClientSecretEnd(ctx, sqlc.SetClientSecretEndParams{ID: k.ID, ExpiresAt: k.ExpiresAt}); err != nil {
			return nil, err
		}
	}
	if err := q.KeepClientSecrets(ctx, sqlc.KeepClientSecretsParams{AppID: appID, Ids: ids}); err != nil {
		return nil, err
	}
	if added != nil {
		if err := q.AddClientSecret(ctx, sqlc.AddClientSecretParams{
			ID: added.ID, AppID: appID, Hash: added.Hash[:], At: now, CreatedBy: added.CreatedBy,
		}); err != nil {
			return nil, err
		}
	}
	return liveSecrets(ctx, q, appID, now)
}

// endsSoon is longer than a session record can exist (sessionrecord.WaitOut). If a secret expires later than that,
// its current records will have been replaced before it expires.
const endsSoon = time.Minute

// enqueueSecrets writes an entry for secrets that end now or soon. The entry covers the whole account, so it
// includes secrets ended by an earlier change. Marks in the entry let a repeated deletion find it. If no secret
// ends, enqueueSecrets returns the pending entry of an earlier change, or the zero entry if there is none.
func enqueueSecrets(ctx context.Context, q *sqlc.Queries, owner app.App, before, kept []app.ClientSecret, now time.Time) (revocation.Entry, error) {
	var marks [][]byte
	for _, s := range before {
		at := slices.IndexFunc(kept, func(k app.ClientSecret) bool { return k.ID == s.ID })
		if at < 0 || kept[at].ExpiresAt != nil && kept[at].ExpiresAt.Before(now.Add(endsSoon)) {
			marks = append(marks, markOfSecret(s.ID))
		}
	}
	if len(marks) == 0 {
		row, err := q.PendingAppRevocation(ctx, owner.ID)
		return outbox.PendingEntry(row.RevocationEntry, err, nil)
	}
	return outbox.Enqueue(ctx, q, sqlc.AddRevocationParams{AccountID: owner.AccountID, WholeAccount: true, Hashes: marks, CreatedAt: now})
}

// markOfSecret returns the mark that identifies a secret in an entry, even after the secret's row has been deleted.
func markOfSecret(id string) []byte {
	mark := credential.Hash("the end of the secret " + id)
	return mark[:]
}

func (s *Apps) PendingSecretRevocation(ctx context.Context, id string, now time.Time) (revocation.Entry, error) {
	row, err := s.DB.Q.PendingSecretRevocation(ctx, sqlc.PendingSecretRevocationParams{Since: now.Add(-secretsEndedSince), Mark: markOfSecret(id)})
	return outbox.PendingEntry(row.RevocationEntry, err, nil)
}

// secretsEndedSince is the maximum age of an entry that a repeated deletion of a secret looks for. It is longer than
// session records can exist plus the difference between the replicas' clocks.
const secretsEndedSince = 5 * time.Minute

// secretDetails returns the details of an audit event that names the added and removed secrets.
func secretDetails(before, kept []app.ClientSecret, added *app.NewSecret) map[string]string {
	details := map[string]string{}
	if added != nil {
		details[audit.Secret] = added.ID
	}
	var ended []string
	for _, s := range before {
		if !slices.ContainsFunc(kept, func(k app.ClientSecret) bool { return k.ID == s.ID }) {
			ended = append(ended, s.ID)
		}
	}
	if len(ended) > 0 {
		details[audit.EndedSecrets] = strings.Join(ended, " ")
	}
	return details
}

func (s *Apps) AppOfSecret(ctx context.Context, id string) (string, error) {
	appID, err := s.DB.Q.AppOfSecret(ctx, id)
	return appID, db.ErrorOf("app of secret", err, app.ErrSecretNotFound)
}
