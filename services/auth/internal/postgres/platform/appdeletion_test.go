package platform_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/platform/app"
)

// sibling creates another app in an app's account.
func sibling(w *authtest.World, a authtest.App) authtest.App {
	w.Helper()
	app, _, err := w.Apps.CreateApp(w.Context(), app.Creation{
		AccountID: a.AccountID, Name: "Sibling", ClientType: app.Confidential, RedirectURIs: []string{authtest.RedirectURI}, Scopes: authtest.Everything,
	})
	w.Must(err)
	return authtest.App{App: app}
}

// A repeated deletion waits until the deletion is in effect everywhere. It must therefore wait for the entry of the
// whole account, not for a newer entry of a single key.
func TestRepeatedAppDeletionFindsItsEntry(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, other := w.Confidential(), w.Confidential()
	beside := sibling(w, a)
	key, _ := w.Key(beside, "jobs:read")
	first, err := authtest.DeleteApp(w, a)
	w.Must(err)
	if !first.WholeAccount || first.AccountID != a.AccountID {
		t.Errorf("the deletion returned %+v", first)
	}
	authtest.DeleteKey(w, key)
	_, err = authtest.DeleteApp(w, other)
	w.Must(err)
	if again, err := authtest.DeleteApp(w, a); !errors.Is(err, app.ErrNotFound) || again.ID != first.ID {
		t.Errorf("repeated: %+v, %v, want entry %d", again, err, first.ID)
	}
	w.Must(w.Stores.Outbox.DeleteRevocation(t.Context(), first.ID))
	if again, err := authtest.DeleteApp(w, a); !errors.Is(err, app.ErrNotFound) || again.ID != 0 {
		t.Errorf("after the publication: %+v, %v", again, err)
	}
}

// A change that removes no scope makes no records stale, but must wait for an earlier change that did.
func TestAppChangeWaitsForAnEarlierLoss(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	beside := sibling(w, a)
	key, _ := w.Key(beside, "jobs:read")
	change := func(name string, scopes ...string) revocation.Entry {
		t.Helper()
		changed, entry, err := w.Stores.Apps.ChangeApp(t.Context(), a.App.ID, w.Clock.Now(), nil, func(app *app.App) { app.Name, app.Scopes = name, scope.Stored(scopes) })
		w.Must(err)
		if changed.ID != a.App.ID || changed.Name != name {
			t.Errorf("the changed app is %+v", changed)
		}
		return entry
	}
	if entry := change("same", authtest.Everything...); entry.ID != 0 {
		t.Errorf("a change of the name returned %+v", entry)
	}
	lost := change("narrower", "profile")
	if !lost.WholeAccount || lost.AccountID != a.AccountID {
		t.Errorf("the loss of a scope returned %+v", lost)
	}
	authtest.DeleteKey(w, key)
	if entry := change("narrower again", "profile"); entry.ID != lost.ID {
		t.Errorf("repeating it returned %+v, want entry %d", entry, lost.ID)
	}
	if app, err := w.Stores.Apps.App(t.Context(), beside.App.ID); err != nil || app.Name != "Sibling" || len(app.Scopes) != len(authtest.Everything) {
		t.Errorf("the other app of the account is %+v, %v", app, err)
	}
}

func TestAppDeletionRemovesItsKeysAndSecrets(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, other := w.Confidential(), w.Confidential()
	apps := []authtest.App{other, a, sibling(w, a)}
	earlier, _ := w.Key(a, "jobs:read")
	authtest.DeleteKey(w, earlier)
	deletedAt := w.Clock.Now()
	secrets := make([]string, len(apps))
	for i, app := range apps {
		_, secrets[i] = w.Key(app, "jobs:read")
		_, err := w.Pool.Exec(t.Context(), "INSERT INTO app_logos (app_id, version, jpeg, created_at) VALUES ($1, 'v', 'x', $2)", app.App.ID, w.Clock.Now())
		w.Must(err)
	}
	w.Clock.Advance(time.Minute)
	_, err := authtest.DeleteApp(w, a)
	w.Must(err)
	for i, app := range apps {
		lives, held := app.App.ID != a.App.ID, 0
		if lives {
			held = 1
		}
		if _, found := w.State(state.APIKey, secrets[i]); found != lives {
			t.Errorf("app %d: key live: %t", i, found)
		}
		if _, err := w.Stores.Apps.App(t.Context(), app.App.ID); (err == nil) != lives {
			t.Errorf("app %d: %v", i, err)
		}
		for _, table := range []string{"client_secrets", "app_logos"} {
			var n int
			w.Must(w.Pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table+" WHERE app_id = $1", app.App.ID).Scan(&n))
			if n != held {
				t.Errorf("app %d has %d rows of %s, want %d", i, n, table, held)
			}
		}
	}
	keys, err := w.Stores.Apps.APIKeys(t.Context(), a.App.ID, true)
	w.Must(err)
	for _, k := range keys {
		want := w.Clock.Now()
		if k.ID == earlier {
			want = deletedAt
		}
		if k.DeletedAt == nil || !k.DeletedAt.Equal(want) {
			t.Errorf("the key %s was deleted at %v, want %v", k.ID, k.DeletedAt, want)
		}
	}
	if len(keys) != 2 {
		t.Errorf("%d keys are listed", len(keys))
	}
}

func TestAppsAreListedWithLiveConnections(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	oldest := w.Confidential()
	other := w.Confidential()
	w.Clock.Advance(time.Minute)
	newer := []string{sibling(w, oldest).App.ID, sibling(w, oldest).App.ID}
	slices.Sort(newer) // apps created at the same time are listed by descending id
	w.Clock.Advance(time.Minute)
	gone := sibling(w, oldest)
	for range 2 {
		w.Tokens(w.Person(), oldest, "profile")
		w.Tokens(w.Person(), other, "profile")
	}
	p := w.Person()
	w.Tokens(p, oldest, "profile")
	left, err := w.Stores.Connections.Connections(t.Context(), p, w.Clock.Now())
	w.Must(err)
	_, err = w.Stores.Connections.EndConnection(t.Context(), p, left[0].ID, w.Clock.Now())
	w.Must(err)
	_, err = authtest.DeleteApp(w, gone)
	w.Must(err)
	for deletedToo, want := range map[bool][]string{false: {newer[1], newer[0], oldest.App.ID}, true: {gone.App.ID, newer[1], newer[0], oldest.App.ID}} {
		listed, err := w.Stores.Apps.Apps(t.Context(), oldest.AccountID, deletedToo)
		w.Must(err)
		var got []string
		for _, app := range listed {
			got = append(got, app.ID)
			if connections := map[bool]int64{true: 2}[app.ID == oldest.App.ID]; app.Connections != connections {
				t.Errorf("%s has %d connections, want %d", app.ID, app.Connections, connections)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("deleted too %t: %v, want %v", deletedToo, got, want)
		}
	}
}

// The rows below a deleted app are ended in batches, so they still look live for a while.
func TestDeletedAppsCredentialsAreRejected(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	_, err := w.Pool.Exec(t.Context(), "UPDATE apps SET deleted_at = $2 WHERE id = $1", all[1].App.App.ID, w.Clock.Now())
	w.Must(err)
	for i, m := range all {
		wants := i != 1
		for kind, secret := range map[state.Kind]string{
			state.AccessToken: m.Tokens.Access, state.LegacyToken: m.Legacy, state.APIKey: m.Key,
		} {
			if _, lives := w.State(kind, secret); lives != wants {
				t.Errorf("%d: %s live: %t", i, kind, lives)
			}
		}
		for name, read := range map[string]func() error{
			"client": func() error { _, err := w.Stores.Grants.Client(t.Context(), m.App.ClientID, w.Clock.Now()); return err },
			"client that asks of an access token": func() error {
				_, _, err := w.Stores.Grants.Introspect(t.Context(), m.App.ClientID, token.Access, credential.Hash(m.Tokens.Access), w.Clock.Now())
				return err
			},
			"client that asks of a refresh token": func() error {
				_, _, err := w.Stores.Grants.Introspect(t.Context(), m.App.ClientID, token.Refresh, credential.Hash(m.Tokens.Refresh), w.Clock.Now())
				return err
			},
		} {
			if err := read(); (err == nil) != wants || !wants && !errors.Is(err, client.ErrInvalid) {
				t.Errorf("%d: %s: %v", i, name, err)
			}
		}
		if lives := w.LinkLives(m.Link); lives != wants {
			t.Errorf("%d: link live: %t", i, lives)
		}
		if _, err := w.Stores.States.PhotoAddress(t.Context(), m.Connection, 0, w.Clock.Now()); (err == nil) != wants {
			t.Errorf("%d: photo: %v", i, err)
		}
		if link, err := w.Stores.States.MakeLink(t.Context(), m.Connection, credential.Hash(m.Tokens.Access), id.New("cvl"), w.Clock.Now()); err != nil || (link == m.Link) != wants {
			t.Errorf("%d: the new link is %q, %v", i, link, err)
		}
	}
}

// If a client's token has expired, the client asks the person for consent again. It must not do so if the token was
// revoked before it expired.
func TestEndedLegacyTokenHasNotExpired(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for name, change := range map[string]string{
		"":                         "SELECT $1::text, $2::timestamptz",
		"the token was revoked":    "UPDATE access_tokens SET revoked_at = $2 WHERE app_id = $1",
		"the family was revoked":   "UPDATE token_families SET revoked_at = $2 WHERE app_id = $1",
		"the connection has ended": "UPDATE connections SET ended_at = $2 WHERE app_id = $1",
		"the app was deleted":      "UPDATE apps SET deleted_at = $2 WHERE id = $1",
		"it is no legacy token":    "UPDATE access_tokens SET legacy = false WHERE app_id = $1 AND $2::timestamptz IS NOT NULL",
	} {
		apps := []authtest.App{w.Legacy(), w.Legacy(), w.Legacy()}
		var tokens []string
		for _, a := range apps {
			tokens = append(tokens, w.LegacyToken(w.Person(), a))
		}
		_, err := w.Pool.Exec(t.Context(), change, apps[1].App.ID, w.Clock.Now())
		w.Must(err)
		end := w.Clock.Now().Add(authtest.AccessLife)
		for i, secret := range append(tokens, "no token") {
			for at, passed := range map[time.Time]bool{end: true, end.Add(-time.Microsecond): false} {
				expired, err := w.Stores.States.LegacyTokenExpired(t.Context(), credential.Hash(secret), at)
				if want := passed && i < len(apps) && (i != 1 || name == ""); err != nil || expired != want {
					t.Errorf("%s: token %d at %s is reported as expired: %t, %v", name, i, at, expired, err)
				}
			}
		}
	}
}

// The job ends the rows below a deleted app later and in batches, in the same way as when a connection ends. It must
// not change rows that have been used, have expired or have already ended.
func TestDeletedAppsConnectionsEnd(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	for _, m := range all {
		w.Code(m.Person, m.App, authtest.Everything...)
	}
	gone, early := all[1].App.App.ID, w.Clock.Now()
	legacy := credential.Hash(all[1].Legacy)
	_, err := w.Pool.Exec(t.Context(), "UPDATE access_tokens SET revoked_at = $2 WHERE hash = $1", legacy[:], early)
	w.Must(err)
	w.Clock.Advance(time.Minute)
	_, err = w.Pool.Exec(t.Context(), "UPDATE apps SET deleted_at = $2 WHERE id = $1", gone, w.Clock.Now())
	w.Must(err)
	for _, want := range []int{1, 1, 0} {
		if n, err := w.Stores.Connections.EndConnections(t.Context(), w.Clock.Now(), 1); err != nil || n != want {
			t.Errorf("%d connections were ended, want %d, %v", n, want, err)
		}
	}
	for ended, lives := range map[string]string{
		"SELECT app_id FROM connections WHERE ended_at IS NOT NULL":                                               "SELECT app_id FROM connections WHERE ended_at IS NULL",
		"SELECT app_id FROM authorization_codes WHERE used_at IS NULL AND revoked_at IS NOT NULL":                 "SELECT app_id FROM authorization_codes WHERE used_at IS NULL AND revoked_at IS NULL",
		"SELECT app_id FROM token_families WHERE revoked_at IS NOT NULL":                                          "SELECT app_id FROM token_families WHERE revoked_at IS NULL",
		"SELECT app_id FROM access_tokens WHERE revoked_at IS NOT NULL":                                           "SELECT app_id FROM access_tokens WHERE revoked_at IS NULL",
		"SELECT app_id FROM connections c JOIN cv_links l ON l.connection_id = c.id WHERE l.ended_at IS NOT NULL": "SELECT app_id FROM connections c JOIN cv_links l ON l.connection_id = c.id WHERE l.ended_at IS NULL",
	} {
		if got := slices.Compact(authtest.Names(w, ended)); !slices.Equal(got, []string{gone}) {
			t.Errorf("%s: %v, want the rows of %s", ended, got, gone)
		}
		if got := authtest.Names(w, lives); slices.Contains(got, gone) || len(got) == 0 {
			t.Errorf("%s: %v", lives, got)
		}
	}
	if used := authtest.Names(w, "SELECT app_id FROM authorization_codes WHERE used_at IS NOT NULL AND revoked_at IS NOT NULL"); len(used) != 0 {
		t.Errorf("used codes were revoked: %v", used)
	}
	var at time.Time
	if err := w.Pool.QueryRow(t.Context(), "SELECT revoked_at FROM access_tokens WHERE hash = $1", legacy[:]).Scan(&at); err != nil || !at.Equal(early) {
		t.Errorf("a token revoked at %s now has the time %s, %v", early, at, err)
	}
}
