package platform_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestFailedStatementFailsTheCall(t *testing.T) {
	t.Parallel()
	authtest.CheckFaults(t, accountOperations, appOperations, secretOperations)
}

func TestChangeHasOneAuditEvent(t *testing.T) {
	t.Parallel()
	authtest.CheckEvents(t, accountOperations, appOperations, secretOperations)
}

func accountOperations(w *authtest.World) []authtest.Operation {
	a, now := w.Confidential().AccountID, w.Clock.Now()
	made := account.Account{ID: id.New("dev"), Name: "n", Plan: account.Plan{Name: account.Custom, PerMinute: 7, PerDay: 8}, CreatedAt: now}
	custom := map[string]string{audit.Plan: "custom", audit.PerMinute: "7", audit.PerDay: "8"}
	about := func(id string, details map[string]string) *audit.Event {
		return &audit.Event{AccountID: id, Object: audit.Object{ID: id}, Details: details}
	}
	return []authtest.Operation{
		{"create an account", func(ctx context.Context) error { return w.Stores.Accounts.CreateAccount(ctx, made, "") }, about(made.ID, custom)},
		{"account", func(ctx context.Context) error { _, err := w.Stores.Accounts.Account(ctx, a); return err }, nil},
		{"suspend", func(ctx context.Context) error {
			_, _, err := w.Stores.Accounts.SuspendAccount(ctx, a, "", now, nil)
			return err
		}, about(a, nil)},
		{"resume", func(ctx context.Context) error {
			_, _, err := w.Stores.Accounts.ResumeAccount(ctx, a, now, nil)
			return err
		}, about(a, nil)},
		{"set a plan", func(ctx context.Context) error {
			_, _, err := w.Stores.Accounts.SetPlan(ctx, a, account.Plan{Name: account.Elevated}, now)
			return err
		}, about(a, map[string]string{audit.Plan: "elevated"})},
		{"account exists", func(ctx context.Context) error { _, err := w.Stores.Usage.AccountExists(ctx, a); return err }, nil},
	}
}

func appOperations(w *authtest.World) []authtest.Operation {
	a, now := w.Confidential(), w.Clock.Now()
	made := app.App{
		ID: id.New("app"), AccountID: a.AccountID, Name: "n", ClientID: credential.New(credential.ClientID), ClientType: app.Confidential,
		Scopes: []string{"profile", "email"}, CreatedAt: now,
	}
	key := app.APIKey{ID: id.New("key"), AppID: a.App.ID, Name: "k", Scopes: []string{"jobs:read"}, CreatedAt: now}
	remove := func(ctx context.Context) error { _, err := w.Stores.Apps.DeleteAPIKey(ctx, key.ID, now); return err }
	about := func(app, object, scopes string) *audit.Event {
		e := &audit.Event{AccountID: a.AccountID, AppID: app, Object: audit.Object{ID: object}}
		if scopes != "" {
			e.Details = map[string]string{audit.Scopes: scopes}
		}
		return e
	}
	secret, created := id.New("sec"), about(made.ID, made.ID, "profile email")
	created.Details[audit.Secret] = secret
	return []authtest.Operation{
		{"create an app", func(ctx context.Context) error {
			return w.Stores.Apps.CreateApp(ctx, made, app.Logo{}, &app.NewSecret{ID: secret, Hash: credential.Hash("new")})
		}, created},
		{"app", func(ctx context.Context) error { _, err := w.Stores.Apps.App(ctx, a.App.ID); return err }, nil},
		{"create a key", func(ctx context.Context) error {
			return w.Stores.Apps.CreateAPIKey(ctx, key, credential.Hash("key"), nil)
		},
			about(a.App.ID, key.ID, "jobs:read")},
		{"keys", func(ctx context.Context) error { _, err := w.Stores.Apps.APIKeys(ctx, a.App.ID, false); return err }, nil},
		{"delete a key", remove, about(a.App.ID, key.ID, "")},
		{"delete a deleted key", authtest.Expecting(app.ErrKeyNotFound.Code, remove), nil},
	}
}

func secretOperations(w *authtest.World) []authtest.Operation {
	a, now := w.Confidential(), w.Clock.Now()
	live, err := w.Stores.Apps.ClientSecrets(w.Context(), a.App.ID, now)
	w.Must(err)
	added := &app.NewSecret{ID: id.New("sec"), Hash: credential.Hash("added")}
	return []authtest.Operation{
		{"client", func(ctx context.Context) error { _, err := w.Stores.Grants.Client(ctx, a.ClientID, now); return err }, nil},
		{"note the use of a secret", func(ctx context.Context) error { return w.Stores.Grants.NoteSecretUse(ctx, live[0].ID, now) }, nil},
		{"secrets", func(ctx context.Context) error { _, err := w.Stores.Apps.ClientSecrets(ctx, a.App.ID, now); return err }, nil},
		{"app of a secret", func(ctx context.Context) error { _, err := w.Stores.Apps.AppOfSecret(ctx, live[0].ID); return err }, nil},
		{"add a secret", func(ctx context.Context) error {
			_, err := w.Stores.Apps.ChangeClientSecrets(ctx, a.App.ID, now, func(_ app.App, live []app.ClientSecret) ([]app.ClientSecret, *app.NewSecret, error) {
				return live, added, nil
			})
			return err
		}, &audit.Event{AccountID: a.AccountID, AppID: a.App.ID, Details: map[string]string{audit.Secret: added.ID}}},
		{"count what ends", func(ctx context.Context) error {
			_, _, err := w.Stores.Cleanup.CountEnding(ctx, now, now.Add(time.Hour))
			return err
		}, nil},
	}
}
