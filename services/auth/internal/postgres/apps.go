package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/developer"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func appFromRow(row sqlc.App) developer.App {
	a := developer.App{
		ID: row.ID, AccountID: row.AccountID, Name: row.Name, Description: row.Description, LogoURL: row.LogoUrl,
		LogoVersion: row.LogoVersion, Homepage: row.Homepage, PrivacyPolicy: row.PrivacyPolicy, Terms: row.Terms,
		Support: row.Support, ClientID: row.ClientID, ClientType: developer.ClientType(row.ClientType),
		RedirectURIs: row.RedirectUris, Scopes: scope.Stored(row.Scopes), Legacy: row.Legacy,
		CreatedAt: row.CreatedAt, CreatedBy: row.CreatedBy, UpdatedAt: row.CreatedAt, DeletedAt: row.DeletedAt,
	}
	if row.UpdatedAt != nil {
		a.UpdatedAt = *row.UpdatedAt
	}
	return a
}

// aboutApp is what the audit log holds of a change of an app.
func aboutApp(a developer.App, details map[string]string) audit.About {
	return audit.About{AccountID: a.AccountID, AppID: a.ID, ObjectID: a.ID, Details: details}
}

func (s *Store) CreateApp(ctx context.Context, a developer.App, logo developer.Logo, secret *developer.NewSecret) error {
	p := sqlc.CreateAppParams{
		ID: a.ID, AccountID: a.AccountID, Name: a.Name, Description: a.Description, LogoUrl: a.LogoURL, LogoVersion: a.LogoVersion,
		Homepage: a.Homepage, PrivacyPolicy: a.PrivacyPolicy, Terms: a.Terms, Support: a.Support, ClientID: a.ClientID,
		ClientType: string(a.ClientType), RedirectUris: list(a.RedirectURIs), Scopes: list(a.Scopes),
		Legacy: a.Legacy, CreatedAt: a.CreatedAt, CreatedBy: a.CreatedBy,
	}
	details := scopeDetails(a.Scopes)
	if secret != nil {
		details[audit.Secret] = secret.ID
		p.SecretID, p.SecretHash = secret.ID, secret.Hash[:]
	}
	return s.txInTime(ctx, "create app", func(t transaction) error {
		q := t.Queries
		if _, err := q.ShareOpenAccount(ctx, a.AccountID); err != nil {
			return errorOf("share account", err, developer.ErrAccountNotFound)
		}
		if err := q.CreateApp(ctx, p); err != nil {
			return err
		}
		if err := putLogo(ctx, q, a.ID, logo, a.CreatedAt); err != nil {
			return err
		}
		return t.record(ctx, aboutApp(a, details))
	})
}

func putLogo(ctx context.Context, q *sqlc.Queries, appID string, logo developer.Logo, now time.Time) error {
	if logo.Version == "" {
		return q.DropAppLogo(ctx, appID)
	}
	return q.PutAppLogo(ctx, sqlc.PutAppLogoParams{AppID: appID, Version: logo.Version, Jpeg: logo.JPEG, CreatedAt: now})
}

func (s *Store) Logo(ctx context.Context, appID, version string) ([]byte, error) {
	jpeg, err := s.q.GetAppLogo(ctx, sqlc.GetAppLogoParams{AppID: appID, Version: version})
	return jpeg, errorOf("app logo", err, developer.ErrLogoNotFound)
}

func (s *Store) App(ctx context.Context, id string) (developer.App, error) {
	row, err := s.q.GetApp(ctx, id)
	if err != nil {
		return developer.App{}, errorOf("app", err, developer.ErrAppNotFound)
	}
	return appFromRow(row.App), nil
}

func (s *Store) AppOfAnyTime(ctx context.Context, id string) (developer.App, error) {
	row, err := s.q.GetAppOfAnyTime(ctx, id)
	if err != nil {
		return developer.App{}, errorOf("app of any time", err, developer.ErrAppNotFound)
	}
	return appFromRow(row.App), nil
}

func (s *Store) Apps(ctx context.Context, accountID string, deletedToo bool) ([]developer.ListedApp, error) {
	rows, err := s.q.ListApps(ctx, sqlc.ListAppsParams{AccountID: accountID, DeletedToo: deletedToo})
	if err != nil {
		return nil, errorOf("list apps", err, nil)
	}
	apps := make([]developer.ListedApp, len(rows))
	for i, row := range rows {
		apps[i] = developer.ListedApp{App: appFromRow(row.App), Connections: row.Connections}
	}
	return apps, nil
}

func (s *Store) ChangeApp(ctx context.Context, id string, now time.Time, logo *developer.Logo, change func(*developer.App)) (developer.App, revocation.Entry, error) {
	var (
		changed developer.App
		entry   revocation.Entry
	)
	err := s.tx(ctx, "change app", func(t transaction) error {
		q := t.Queries
		locked, err := q.LockAppToChange(ctx, id)
		if err != nil {
			return errorOf("lock app", err, developer.ErrAppNotFound)
		}
		changed = appFromRow(locked.App)
		change(&changed)
		row, err := q.UpdateApp(ctx, updateOf(locked.App, changed, now))
		if err != nil {
			return err
		}
		changed = appFromRow(row.App)
		if logo != nil {
			if err := putLogo(ctx, q, id, *logo, now); err != nil {
				return err
			}
		}
		if entry, err = enqueueLoss(ctx, q, locked.App, changed, now); err != nil {
			return err
		}
		return t.record(ctx, aboutApp(changed, scopeDetails(changed.Scopes)))
	})
	return changed, entry, err
}

func updateOf(before sqlc.App, a developer.App, now time.Time) sqlc.UpdateAppParams {
	version, since := rescoped(before, a.Scopes)
	return sqlc.UpdateAppParams{
		ID: a.ID, Name: a.Name, Description: a.Description, LogoUrl: a.LogoURL, LogoVersion: a.LogoVersion,
		Homepage: a.Homepage, PrivacyPolicy: a.PrivacyPolicy, Terms: a.Terms, Support: a.Support,
		RedirectUris: list(a.RedirectURIs), Scopes: list(a.Scopes), ScopesVersion: version, ScopesSince: since, UpdatedAt: &now,
	}
}

// rescoped gives the version of an app's scopes after a change, and since which version it
// holds each of them: a scope that is new has the new version, so that no consent from
// before gives it (behaviour: apps#a-scope-that-an-app-loses).
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

// sinceOf gives the version since which an app holds its scope of the place. An app whose
// scopes never changed has none.
func sinceOf(a sqlc.App, at int) int32 {
	if at < len(a.ScopesSince) {
		return a.ScopesSince[at]
	}
	return 0
}

// heldScopes is the held_scopes of SQL for a connection that was read with its app.
func heldScopes(scopes []string, consented int32, a sqlc.App) scope.Set {
	return slices.DeleteFunc(scope.Stored(scopes), func(s string) bool {
		at := slices.Index(a.Scopes, s)
		return s != scope.ProfileRead && (at < 0 || sinceOf(a, at) > consented)
	})
}

// enqueueLoss writes an entry for the records of an app that has lost a scope. Which ones
// those are is not looked up, since there may be millions: all of the account are stale.
// Without a loss, that of an earlier change may still be pending; it then gives that one.
func enqueueLoss(ctx context.Context, q *sqlc.Queries, before sqlc.App, after developer.App, now time.Time) (revocation.Entry, error) {
	if scope.Stored(before.Scopes).Within(after.Scopes) {
		row, err := q.PendingAppRevocation(ctx, before.ID)
		return pendingEntry(row.RevocationEntry, err, nil)
	}
	return enqueueAccount(ctx, q, before.AccountID, now)
}

func (s *Store) DeleteApp(ctx context.Context, id string, now time.Time, check func(developer.App) error) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.tx(ctx, "delete app", func(t transaction) error {
		q := t.Queries
		locked, err := q.LockAppToChange(ctx, id)
		if err != nil {
			return err
		}
		app := appFromRow(locked.App)
		if err := check(app); err != nil {
			return err
		}
		if err := deleteApps(ctx, q, []string{id}, now); err != nil {
			return err
		}
		if entry, err = enqueueAccount(ctx, q, app.AccountID, now); err != nil {
			return err
		}
		return t.record(ctx, aboutApp(app, nil))
	})
	if errors.Is(err, pgx.ErrNoRows) {
		row, err := s.q.PendingAppRevocation(ctx, id)
		return pendingEntry(row.RevocationEntry, err, developer.ErrAppNotFound)
	}
	return entry, err
}

// deleteApps deletes apps whose rows are locked, for DeleteApp and for the end of an account.
// An app is refused because deleted_at of its row is set, whatever set it; the rest takes
// away what nobody needs any more. The connections are ended later (EndConnections).
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

func (s *Store) EndConnections(ctx context.Context, now time.Time, atMost int32) (int, error) {
	var ended int
	err := s.tx(ctx, "end connections of deleted apps", func(t transaction) error {
		q := t.Queries
		ids, err := q.LockAppConnections(ctx, atMost)
		if err != nil || len(ids) == 0 {
			return err
		}
		ended = len(ids)
		return endConnections(ctx, q, ids, now)
	})
	return ended, err
}
