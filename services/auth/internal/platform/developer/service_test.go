package developer_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/developer"
)

// cutOff is when a caller gives up because Redis doesn't answer.
const cutOff = 300 * time.Millisecond

// Once a deletion is answered, every gateway replica must refuse the key. That includes a
// deletion whose first call was canceled between the commit and the deletion of the records.
func TestDeletedKeyIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	keyID, secret := w.Key(a, "jobs:read")
	otherID, other := w.Key(a, "jobs:read")
	w.Records.Break(errors.New("Redis is away"))
	ctx, cancel := context.WithTimeout(t.Context(), cutOff)
	defer cancel()
	if err := w.Developers.DeleteAPIKey(ctx, keyID); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("while Redis is away: %v", err)
	}
	w.Records.Break(nil)
	w.Records.Reset()
	wantCode(t, "again", w.Developers.DeleteAPIKey(t.Context(), keyID), developer.ErrKeyNotFound.Code)
	if !w.Records.Forgot(secret) || w.Records.Forgot(other) {
		t.Error("its record was not deleted, or another was")
	}
	w.Records.Reset()
	wantCode(t, "a third time", w.Developers.DeleteAPIKey(t.Context(), keyID), developer.ErrKeyNotFound.Code)
	if w.Records.Forgot(secret) {
		t.Error("a deletion that is known everywhere is published again")
	}
	left, err := w.Developers.APIKeys(t.Context(), a.App.ID, false)
	if err != nil || len(left) != 1 || left[0].ID != otherID {
		t.Errorf("left %+v, %v", left, err)
	}
}

func TestSuspensionReasonIsTheCurrentOne(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account := w.Confidential().AccountID
	suspend := func(reason, want string) {
		t.Helper()
		a, err := w.Developers.Suspend(t.Context(), account, reason)
		w.Must(err)
		read, err := w.Developers.Account(t.Context(), account)
		w.Must(err)
		if a.SuspensionReason != want || read.SuspensionReason != want {
			t.Errorf("after %q: %q, then %q, want %q", reason, a.SuspensionReason, read.SuspensionReason, want)
		}
	}
	suspend("First.", "First.")
	suspend("", "First.")
	suspend("Second.", "Second.")
	resumed, err := w.Developers.Resume(t.Context(), account)
	if err != nil || resumed.SuspensionReason != "" {
		t.Errorf("resumed: %q, %v", resumed.SuspensionReason, err)
	}
	suspend("", "")
	if _, err := w.Developers.Suspend(t.Context(), account, "a\x00b"); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a reason that cannot be stored: %v", err)
	}
}

func TestAccountChangeWaitsForTheRecords(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account := w.Confidential().AccountID
	custom := developer.Plan{Name: developer.Custom, PerMinute: 1, PerDay: 2}
	for _, c := range []struct {
		name      string
		change    func(context.Context) (developer.Account, error)
		suspended bool
		plan      developer.Plan
	}{
		{"suspend", func(ctx context.Context) (developer.Account, error) { return w.Developers.Suspend(ctx, account, "") }, true, developer.Plan{Name: developer.Standard}},
		{"plan", func(ctx context.Context) (developer.Account, error) {
			return w.Developers.SetPlan(ctx, account, custom)
		}, true, custom},
		{"resume", func(ctx context.Context) (developer.Account, error) { return w.Developers.Resume(ctx, account) }, false, custom},
	} {
		w.Records.Reset()
		changed, err := c.change(t.Context())
		w.Must(err)
		stored, err := w.Developers.Account(t.Context(), account)
		w.Must(err)
		for _, got := range []developer.Account{changed, stored} {
			if got.ID != account || (got.SuspendedAt != nil) != c.suspended || got.Plan != c.plan {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
		if !w.Records.ForgotAccount(account) {
			t.Errorf("%s: the account's records are left", c.name)
		}
		w.Records.Break(errors.New("Redis is away"))
		ctx, cancel := context.WithTimeout(t.Context(), cutOff)
		if _, err := c.change(ctx); errs.KindOf(err) != errs.Unavailable {
			t.Errorf("%s: while Redis is away: %v", c.name, err)
		}
		cancel()
		w.Records.Break(nil)
	}
}

// An id that Postgres rejects or that doesn't exist is not found.
func TestUnknownIDsAreNotFound(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	s, ctx := w.Developers, t.Context()
	for _, id := range []string{"a\x00b", "none"} {
		second := func(_ any, err error) error { return err }
		creation := in(id)
		_, _, ofApp := s.CreateApp(ctx, creation)
		_, _, ofKey := s.CreateAPIKey(ctx, developer.KeyCreation{AppID: id, Name: "k", Scopes: []string{"jobs:read"}})
		for code, all := range map[string]map[string]error{
			developer.ErrAccountNotFound.Code: {
				"account": second(s.Account(ctx, id)), "suspend": second(s.Suspend(ctx, id, "")), "resume": second(s.Resume(ctx, id)),
				"plan": second(s.SetPlan(ctx, id, developer.Plan{Name: developer.Standard})), "create app": ofApp,
			},
			developer.ErrAppNotFound.Code: {
				"app": second(s.App(ctx, id)), "rotate": second(s.RotateSecret(ctx, developer.SecretRotation{AppID: id})),
				"secrets": second(s.ClientSecrets(ctx, id)), "create key": ofKey, "keys": second(s.APIKeys(ctx, id, false)),
			},
			developer.ErrKeyNotFound.Code:    {"delete key": s.DeleteAPIKey(ctx, id)},
			developer.ErrSecretNotFound.Code: {"delete secret": s.DeleteClientSecret(ctx, developer.SecretDeletion{SecretID: id})},
		} {
			for name, err := range all {
				wantCode(t, name+" "+id, err, code)
			}
		}
	}
}

func TestDatabaseErrorIsNotNotFound(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	s, a := w.Developers, w.Confidential()
	account, app := a.AccountID, a.App.ID
	keyID, _ := w.Key(a, "jobs:read")
	creation, public := in(account), in(account)
	public.ClientType = developer.Public
	remove := func(ctx context.Context) error { return s.DeleteAPIKey(ctx, keyID) }
	for name, do := range map[string]func(context.Context) error{
		"account":         func(ctx context.Context) error { _, err := s.Account(ctx, account); return err },
		"suspend":         func(ctx context.Context) error { _, err := s.Suspend(ctx, account, ""); return err },
		"create an app":   func(ctx context.Context) error { _, _, err := s.CreateApp(ctx, creation); return err },
		"create a public": func(ctx context.Context) error { _, _, err := s.CreateApp(ctx, public); return err },
		"app":             func(ctx context.Context) error { _, err := s.App(ctx, app); return err },
		"keys":            func(ctx context.Context) error { _, err := s.APIKeys(ctx, app, false); return err },
		"secrets":         func(ctx context.Context) error { _, err := s.ClientSecrets(ctx, app); return err },
		"delete no secret": authtest.Expecting(developer.ErrSecretNotFound.Code, func(ctx context.Context) error {
			return s.DeleteClientSecret(ctx, developer.SecretDeletion{SecretID: "sec_none"})
		}),
		"rotate": func(ctx context.Context) error {
			_, err := s.RotateSecret(ctx, developer.SecretRotation{AppID: app})
			return err
		},
		"create an account": func(ctx context.Context) error {
			_, err := s.CreateAccount(ctx, developer.AccountCreation{Name: "n", Email: "dev@partner.example", Plan: developer.Plan{Name: developer.Standard}})
			return err
		},
		"create a key": func(ctx context.Context) error {
			_, _, err := s.CreateAPIKey(ctx, developer.KeyCreation{AppID: app, Name: "k", Scopes: []string{"jobs:read"}})
			return err
		},
	} {
		w.NoFaultIsSwallowed(name, false, do, authtest.AfterTheCommit...)
	}
	w.NoFaultIsSwallowed("delete a key", false, remove, authtest.AfterTheCommit...)
	w.NoFaultIsSwallowed("delete it again", false, authtest.Expecting(developer.ErrKeyNotFound.Code, remove), authtest.AfterTheCommit...)
}

func TestPlanBudgets(t *testing.T) {
	t.Parallel()
	plans := developer.Plans{
		Standard: developer.Plan{Name: developer.Standard, PerMinute: 1}, Elevated: developer.Plan{Name: developer.Elevated, PerMinute: 2},
	}
	custom := developer.Plan{Name: developer.Custom, PerMinute: 3, PerDay: 4}
	for stored, want := range map[developer.Plan]developer.Plan{
		{Name: developer.Standard}: plans.Standard, {Name: developer.Elevated}: plans.Elevated, custom: custom,
	} {
		if got := plans.Of(stored); got != want {
			t.Errorf("%s: %+v", stored.Name, got)
		}
	}
}
