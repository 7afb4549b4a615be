package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

// cutOff limits calls that are made while Redis doesn't respond.
const cutOff = 300 * time.Millisecond

// When a deletion returns, every gateway replica must reject the key. This must also hold for a repeated deletion if
// the first call was canceled after the commit, but before the records were deleted.
func TestDeletedKeyIsRejectedEverywhere(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	keyID, secret := w.Key(a, "jobs:read")
	otherID, other := w.Key(a, "jobs:read")
	w.Records.Break(errors.New("Redis is down"))
	ctx, cancel := context.WithTimeout(t.Context(), cutOff)
	defer cancel()
	if err := w.Apps.DeleteAPIKey(ctx, keyID); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("while Redis is down: %v", err)
	}
	w.Records.Break(nil)
	w.Records.Reset()
	wantCode(t, "again", w.Apps.DeleteAPIKey(t.Context(), keyID), app.ErrKeyNotFound.Code)
	if !w.Records.Forgot(secret) || w.Records.Forgot(other) {
		t.Error("the key's record was not deleted, or a different record was")
	}
	w.Records.Reset()
	wantCode(t, "a third time", w.Apps.DeleteAPIKey(t.Context(), keyID), app.ErrKeyNotFound.Code)
	if w.Records.Forgot(secret) {
		t.Error("a published deletion is published again")
	}
	left, err := w.Apps.APIKeys(t.Context(), a.App.ID, false)
	if err != nil || len(left) != 1 || left[0].ID != otherID {
		t.Errorf("left %+v, %v", left, err)
	}
}

// An id that doesn't exist, or that Postgres would reject, must be reported as not found.
func TestUnknownIDsAreNotFound(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	accounts, apps, ctx := w.Accounts, w.Apps, t.Context()
	for _, id := range []string{"a\x00b", "none"} {
		second := func(_ any, err error) error { return err }
		creation := in(id)
		_, _, ofApp := apps.CreateApp(ctx, creation)
		_, _, ofKey := apps.CreateAPIKey(ctx, app.KeyCreation{AppID: id, Name: "k", Scopes: []string{"jobs:read"}})
		for code, all := range map[string]map[string]error{
			account.ErrNotFound.Code: {
				"account": second(accounts.Account(ctx, id)), "suspend": second(accounts.Suspend(ctx, id, "")), "resume": second(accounts.Resume(ctx, id)),
				"plan": second(accounts.SetPlan(ctx, id, account.Plan{Name: account.Standard})), "create app": ofApp,
			},
			app.ErrNotFound.Code: {
				"app": second(apps.App(ctx, id)), "rotate": second(apps.RotateSecret(ctx, app.SecretRotation{AppID: id})),
				"secrets": second(apps.ClientSecrets(ctx, id)), "create key": ofKey, "keys": second(apps.APIKeys(ctx, id, false)),
			},
			app.ErrKeyNotFound.Code:    {"delete key": apps.DeleteAPIKey(ctx, id)},
			app.ErrSecretNotFound.Code: {"delete secret": apps.DeleteClientSecret(ctx, app.SecretDeletion{SecretID: id})},
		} {
			for name, err := range all {
				wantCode(t, name+" "+id, err, code)
			}
		}
	}
}

func TestOutageIsNotReportedAsNotFound(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	accounts, apps, a := w.Accounts, w.Apps, w.Confidential()
	accountID, appID := a.AccountID, a.App.ID
	keyID, _ := w.Key(a, "jobs:read")
	creation, public := in(accountID), in(accountID)
	public.ClientType = app.Public
	remove := func(ctx context.Context) error { return apps.DeleteAPIKey(ctx, keyID) }
	for name, do := range map[string]func(context.Context) error{
		"account":         func(ctx context.Context) error { _, err := accounts.Account(ctx, accountID); return err },
		"suspend":         func(ctx context.Context) error { _, err := accounts.Suspend(ctx, accountID, ""); return err },
		"create an app":   func(ctx context.Context) error { _, _, err := apps.CreateApp(ctx, creation); return err },
		"create a public": func(ctx context.Context) error { _, _, err := apps.CreateApp(ctx, public); return err },
		"app":             func(ctx context.Context) error { _, err := apps.App(ctx, appID); return err },
		"keys":            func(ctx context.Context) error { _, err := apps.APIKeys(ctx, appID, false); return err },
		"secrets":         func(ctx context.Context) error { _, err := apps.ClientSecrets(ctx, appID); return err },
		"delete no secret": authtest.Expecting(app.ErrSecretNotFound.Code, func(ctx context.Context) error {
			return apps.DeleteClientSecret(ctx, app.SecretDeletion{SecretID: "sec_none"})
		}),
		"rotate": func(ctx context.Context) error {
			_, err := apps.RotateSecret(ctx, app.SecretRotation{AppID: appID})
			return err
		},
		"create an account": func(ctx context.Context) error {
			_, err := accounts.CreateAccount(ctx, account.Creation{Name: "n", Email: "dev@partner.example", Plan: account.Plan{Name: account.Standard}})
			return err
		},
		"create a key": func(ctx context.Context) error {
			_, _, err := apps.CreateAPIKey(ctx, app.KeyCreation{AppID: appID, Name: "k", Scopes: []string{"jobs:read"}})
			return err
		},
	} {
		w.NoFaultIsSwallowed(name, false, do, authtest.AfterTheCommit...)
	}
	w.NoFaultIsSwallowed("delete a key", false, remove, authtest.AfterTheCommit...)
	w.NoFaultIsSwallowed("delete it again", false, authtest.Expecting(app.ErrKeyNotFound.Code, remove), authtest.AfterTheCommit...)
}
