package platform_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

func consentTo(w *authtest.World, a authtest.App, personID string) error {
	w.Helper()
	_, err := w.Stores.Grants.Consent(w.Context(), authorize.Consent{
		ConnectionID: id.New("con"), PersonID: personID, AppID: a.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Set{"profile"},
		CodeHash: credential.Hash(personID), CodeExpiresAt: w.Clock.Now().Add(time.Hour),
	}, w.Clock.Now())
	return err
}

func newKey(w *authtest.World, a authtest.App) error {
	w.Helper()
	key := id.New("key")
	return w.Stores.Apps.CreateAPIKey(w.Context(), app.APIKey{ID: key, AppID: a.App.ID, CreatedAt: w.Clock.Now()}, credential.Hash(key), nil)
}

// Consents and keys must be checked against the state that the app has when they are stored.
func TestNothingIsCreatedForDeletedApp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(w *authtest.World, a authtest.App) error
		want error
	}{
		"a consent": {func(w *authtest.World, a authtest.App) error { return consentTo(w, a, w.Person()) }, authorize.ErrAppChanged},
		"a key":     {newKey, app.ErrNotFound},
	} {
		w := authtest.New(t)
		a := w.Confidential()
		tx, err := w.Pool.Begin(t.Context())
		w.Must(err)
		for _, deletion := range []string{"SELECT 1 FROM apps WHERE id = $1 FOR UPDATE", "UPDATE apps SET deleted_at = created_at WHERE id = $1"} {
			_, err := tx.Exec(t.Context(), deletion, a.App.ID)
			w.Must(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := c.do(w, a); !errors.Is(err, c.want) {
				t.Errorf("%s during a deletion: %v", name, err)
			}
		}()
		authtest.Waits(w, 1, done)
		w.Must(tx.Commit(t.Context()))
		<-done
		if err := c.do(w, a); !errors.Is(err, c.want) {
			t.Errorf("%s after the deletion: %v", name, err)
		}
	}
}

// Otherwise, the stored row might fit neither the app's old state nor its new one.
func TestAppChangeWaitsForConsentsAndKeys(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"a change", func() error {
			_, _, err := w.Stores.Apps.ChangeApp(t.Context(), a.App.ID, w.Clock.Now(), nil, func(app *app.App) { app.Name = "Another" })
			return err
		}},
		{"a deletion", func() error { _, err := authtest.DeleteApp(w, a); return err }},
	} {
		authtest.WaitsFor(w, c.name, "SELECT 1 FROM apps WHERE id = $1 FOR KEY SHARE", a.App.ID, c.do)
	}
	b := w.Confidential()
	authtest.WaitsFor(w, "the end of the account", "SELECT 1 FROM apps WHERE id = $1 FOR KEY SHARE", b.App.ID, func() error {
		_, err := w.Stores.Accounts.CloseAccount(t.Context(), b.AccountID, w.Clock.Now(), func(account.Account) error { return nil })
		return err
	})
}

func TestAccountCloseKeepsDeletionTimes(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	beside := sibling(w, a)
	if _, err := authtest.DeleteApp(w, a); err != nil {
		t.Fatal(err)
	}
	early := w.Clock.Now()
	w.Clock.Advance(time.Minute)
	closes(w, a.AccountID)
	for app, want := range map[string]time.Time{a.App.ID: early, beside.App.ID: w.Clock.Now()} {
		if got, err := w.Stores.Apps.AppOfAnyTime(t.Context(), app); err != nil || got.DeletedAt == nil || !got.DeletedAt.Equal(want) {
			t.Errorf("%s was deleted at %v, want %s, %v", app, got.DeletedAt, want, err)
		}
	}
}

func TestLockedConnectionIsSkipped(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	first, second := w.Person(), w.Person()
	w.Tokens(first, a, "profile")
	w.Tokens(second, a, "profile")
	if _, err := authtest.DeleteApp(w, a); err != nil {
		t.Fatal(err)
	}
	authtest.DoesNotWait(w, "the end of the others", "SELECT 1 FROM connections WHERE person_id = $1 FOR NO KEY UPDATE", first, func() error {
		n, err := w.Stores.Connections.EndConnections(t.Context(), w.Clock.Now(), 10)
		if n != 1 {
			t.Errorf("%d connections were ended, want only the unlocked one", n)
		}
		return err
	})
	if n, err := w.Stores.Connections.EndConnections(t.Context(), w.Clock.Now(), 10); err != nil || n != 1 {
		t.Errorf("in the next round, %d connections were ended, %v", n, err)
	}
}

// The rows below a deleted app end later, but as soon as the app is deleted, nobody must appear as connected to it.
func TestDeletedAppHasNoConnections(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	w.Tokens(w.Person(), a, "profile")
	if _, err := authtest.DeleteApp(w, a); err != nil {
		t.Fatal(err)
	}
	all, err := w.Stores.Apps.Apps(t.Context(), a.AccountID, true)
	if err != nil || len(all) != 1 || all[0].Connections != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
