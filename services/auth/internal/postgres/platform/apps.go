package platform

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Apps stores apps, including their logos, client secrets and API keys.
type Apps struct{ DB *db.DB }

func AppFromRow(row sqlc.App) app.App {
	a := app.App{
		ID: row.ID, AccountID: row.AccountID, Name: row.Name, Description: row.Description, LogoURL: row.LogoUrl,
		LogoVersion: row.LogoVersion, Homepage: row.Homepage, PrivacyPolicy: row.PrivacyPolicy, Terms: row.Terms,
		Support: row.Support, ClientID: row.ClientID, ClientType: app.ClientType(row.ClientType),
		RedirectURIs: row.RedirectUris, Scopes: scope.Stored(row.Scopes), Legacy: row.Legacy,
		CreatedAt: row.CreatedAt, CreatedBy: row.CreatedBy, UpdatedAt: row.CreatedAt, DeletedAt: row.DeletedAt,
	}
	if row.UpdatedAt != nil {
		a.UpdatedAt = *row.UpdatedAt
	}
	return a
}

// aboutApp returns the audit event for a change to an app.
func aboutApp(a app.App, details map[string]string) audit.About {
	return audit.About{AccountID: a.AccountID, AppID: a.ID, ObjectID: a.ID, Details: details}
}

func (s *Apps) CreateApp(ctx context.Context, a app.App, logo app.Logo, secret *app.NewSecret) error {
	p := sqlc.CreateAppParams{
		ID: a.ID, AccountID: a.AccountID, Name: a.Name, Description: a.Description, LogoUrl: a.LogoURL, LogoVersion: a.LogoVersion,
		Homepage: a.Homepage, PrivacyPolicy: a.PrivacyPolicy, Terms: a.Terms, Support: a.Support, ClientID: a.ClientID,
		ClientType: string(a.ClientType), RedirectUris: db.List(a.RedirectURIs), Scopes: db.List(a.Scopes),
		Legacy: a.Legacy, CreatedAt: a.CreatedAt, CreatedBy: a.CreatedBy,
	}
	details := db.ScopeDetails(a.Scopes)
	if secret != nil {
		details[audit.Secret] = secret.ID
		p.SecretID, p.SecretHash = secret.ID, secret.Hash[:]
	}
	return s.DB.TxInTime(ctx, "create app", func(t db.Transaction) error {
		q := t.Queries
		if _, err := q.ShareOpenAccount(ctx, a.AccountID); err != nil {
			return db.ErrorOf("share account", err, account.ErrNotFound)
		}
		if err := q.CreateApp(ctx, p); err != nil {
			return err
		}
		if err := putLogo(ctx, q, a.ID, logo, a.CreatedAt); err != nil {
			return err
		}
		return t.Record(ctx, aboutApp(a, details))
	})
}

func putLogo(ctx context.Context, q *sqlc.Queries, appID string, logo app.Logo, now time.Time) error {
	if logo.Version == "" {
		return q.DropAppLogo(ctx, appID)
	}
	return q.PutAppLogo(ctx, sqlc.PutAppLogoParams{AppID: appID, Version: logo.Version, Jpeg: logo.JPEG, CreatedAt: now})
}

func (s *Apps) Logo(ctx context.Context, appID, version string) ([]byte, error) {
	jpeg, err := s.DB.Q.GetAppLogo(ctx, sqlc.GetAppLogoParams{AppID: appID, Version: version})
	return jpeg, db.ErrorOf("app logo", err, app.ErrLogoNotFound)
}

func (s *Apps) App(ctx context.Context, id string) (app.App, error) {
	row, err := s.DB.Q.GetApp(ctx, id)
	if err != nil {
		return app.App{}, db.ErrorOf("app", err, app.ErrNotFound)
	}
	return AppFromRow(row.App), nil
}

func (s *Apps) AppOfAnyTime(ctx context.Context, id string) (app.App, error) {
	row, err := s.DB.Q.GetAppOfAnyTime(ctx, id)
	if err != nil {
		return app.App{}, db.ErrorOf("app of any time", err, app.ErrNotFound)
	}
	return AppFromRow(row.App), nil
}

func (s *Apps) Apps(ctx context.Context, accountID string, deletedToo bool) ([]app.Listed, error) {
	rows, err := s.DB.Q.ListApps(ctx, sqlc.ListAppsParams{AccountID: accountID, DeletedToo: deletedToo})
	if err != nil {
		return nil, db.ErrorOf("list apps", err, nil)
	}
	apps := make([]app.Listed, len(rows))
	for i, row := range rows {
		apps[i] = app.Listed{App: AppFromRow(row.App), Connections: row.Connections}
	}
	return apps, nil
}

func (s *Apps) ChangeApp(ctx context.Context, id string, now time.Time, logo *app.Logo, change func(*app.App)) (app.App, revocation.Entry, error) {
	var (
		changed app.App
		entry   revocation.Entry
	)
	err := s.DB.Tx(ctx, "change app", func(t db.Transaction) error {
		q := t.Queries
		locked, err := q.LockAppToChange(ctx, id)
		if err != nil {
			return db.ErrorOf("lock app", err, app.ErrNotFound)
		}
		changed = AppFromRow(locked.App)
		change(&changed)
		row, err := q.UpdateApp(ctx, updateOf(locked.App, changed, now))
		if err != nil {
			return err
		}
		changed = AppFromRow(row.App)
		if logo != nil {
			if err := putLogo(ctx, q, id, *logo, now); err != nil {
				return err
			}
		}
		if entry, err = enqueueLoss(ctx, q, locked.App, changed, now); err != nil {
			return err
		}
		return t.Record(ctx, aboutApp(changed, db.ScopeDetails(changed.Scopes)))
	})
	return changed, entry, err
}

func updateOf(before sqlc.App, a app.App, now time.Time) sqlc.UpdateAppParams {
	version, since := rescoped(before, a.Scopes)
	return sqlc.UpdateAppParams{
		ID: a.ID, Name: a.Name, Description: a.Description, LogoUrl: a.LogoURL, LogoVersion: a.LogoVersion,
		Homepage: a.Homepage, PrivacyPolicy: a.PrivacyPolicy, Terms: a.Terms, Support: a.Support,
		RedirectUris: db.List(a.RedirectURIs), Scopes: db.List(a.Scopes), ScopesVersion: version, ScopesSince: since, UpdatedAt: &now,
	}
}

// rescoped returns the version of an app's scopes after a change and, for each scope, the version since which the
// app has had that scope. A new scope gets the new version, so earlier consents do not grant it
// (behaviour: apps#a-scope-that-an-app-loses).
func rescoped(before sqlc.App, scopes scope.Set) (version int32, since []int32) {
	held := scope.Stored(before.Scopes)
	version = before.ScopesVersion
	if !slices.Equal(held, scopes) {
		version++
	}
	since = make([]int32, len(scopes))
	for i, s := range scopes {
		since[i] = version
		if at := slices.Index(before.Scopes, s); at >= 0 {
			since[i] = sinceOf(before, at)
		}
	}
	return version, since
}

// sinceOf returns the version since which an app has had the scope at the given index, or zero if the app's scopes
// have never changed.
func sinceOf(a sqlc.App, at int) int32 {
	if at < len(a.ScopesSince) {
		return a.ScopesSince[at]
	}
	return 0
}

// HeldScopes is the Go equivalent of the SQL function held_scopes.
func HeldScopes(scopes []string, consented int32, a sqlc.App) scope.Set {
	return slices.DeleteFunc(scope.Stored(scopes), func(s string) bool {
		at := slices.Index(a.Scopes, s)
		return s != scope.ProfileRead && (at < 0 || sinceOf(a, at) > consented)
	})
}

// enqueueLoss writes an entry for the records of an app that has lost a scope. There may be millions of records, so
// the entry covers the whole account. If no scope was lost, enqueueLoss returns the pending entry of an earlier
// change, or the zero entry if there is none.
func enqueueLoss(ctx context.Context, q *sqlc.Queries, before sqlc.App, after app.App, now time.Time) (revocation.Entry, error) {
	if scope.Stored(before.Scopes).Within(after.Scopes) {
		row, err := q.PendingAppRevocation(ctx, before.ID)
		return outbox.PendingEntry(row.RevocationEntry, err, nil)
	}
	return outbox.EnqueueAccount(ctx, q, before.AccountID, now)
}

func (s *Apps) DeleteApp(ctx context.Context, id string, now time.Time, check func(app.App) error) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "delete app", func(t db.Transaction) error {
		q := t.Queries
		locked, err := q.LockAppToChange(ctx, id)
		if err != nil {
			return err
		}
		app := AppFromRow(locked.App)
		if err := check(app); err != nil {
			return err
		}
		if err := deleteApps(ctx, q, []string{id}, now); err != nil {
			return err
		}
		if entry, err = outbox.EnqueueAccount(ctx, q, app.AccountID, now); err != nil {
			return err
		}
		return t.Record(ctx, aboutApp(app, nil))
	})
	if errors.Is(err, pgx.ErrNoRows) {
		row, err := s.DB.Q.PendingAppRevocation(ctx, id)
		return outbox.PendingEntry(row.RevocationEntry, err, app.ErrNotFound)
	}
	return entry, err
}

// deleteApps deletes locked apps for DeleteApp and CloseAccount. As soon as deleted_at is set, every check rejects
// the app; the other statements only clean up. EndConnections ends the connections later.
func deleteApps(ctx context.Context, q *sqlc.Queries, ids []string, now time.Time) error {
	for _, end := range []func() error{
		func() error { return q.DeleteApps(ctx, sqlc.DeleteAppsParams{Ids: ids, At: now}) },
		func() error { return q.DeleteKeysOfApps(ctx, sqlc.DeleteKeysOfAppsParams{Apps: ids, At: now}) },
		func() error { return q.DeleteSecretsOfApps(ctx, ids) },
		func() error { return q.DeleteLogosOfApps(ctx, ids) },
	} {
		if err := end(); err != nil {
			return err
		}
	}
	return nil
}
