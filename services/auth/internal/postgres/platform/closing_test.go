package platform_test

import (
	"fmt"
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

// connectMany connects many people to the app. Each connection has a token family, an access token and a durable
// link.
func connectMany(w *authtest.World, a authtest.App, n int) {
	w.Helper()
	for _, insert := range []string{
		`INSERT INTO people (id, email, email_key, email_verified, password_hash, created_at)
			SELECT 'usr_' || $1::text || i, 'p' || $1 || i, 'p' || $1 || i, true, '', $3::timestamptz FROM generate_series(1, $2::int) i`,
		`INSERT INTO connections (id, person_id, app_id, granted_scopes, cv_sharing, cv_id, share_photo, created_at)
			SELECT 'con_' || $1::text || i, 'usr_' || $1 || i, $1, '{profile,cv:read}', true, 'master', false, $3::timestamptz FROM generate_series(1, $2::int) i`,
		`INSERT INTO token_families (id, app_id, connection_id, scopes, refresh_hash, created_at, expires_at)
			SELECT 'fam_' || $1::text || i, $1, 'con_' || $1 || i, '{profile,cv:read}', sha256(('r' || $1 || i)::bytea), $3::timestamptz, $3 + interval '90 days' FROM generate_series(1, $2::int) i`,
		`INSERT INTO access_tokens (hash, family_id, app_id, connection_id, scopes, created_at, expires_at)
			SELECT sha256(('t' || $1::text || i)::bytea), 'fam_' || $1::text || i, $1, 'con_' || $1 || i, '{profile,cv:read}', $3::timestamptz, $3 + interval '1 hour' FROM generate_series(1, $2::int) i`,
		`INSERT INTO cv_links (id, hash, connection_id, created_at)
			SELECT 'lnk_' || $1::text || i, sha256(('l' || $1 || i)::bytea), 'con_' || $1 || i, $3::timestamptz FROM generate_series(1, $2::int) i`,
	} {
		_, err := w.Pool.Exec(w.Context(), insert, a.App.ID, n, w.Clock.Now())
		w.Must(err)
	}
}

// living returns the number of an app's live connections, and the number of live rows below them.
func living(w *authtest.World, a authtest.App) (connections, below int) {
	w.Helper()
	w.Must(w.Pool.QueryRow(w.Context(), `SELECT (SELECT count(*) FROM connections WHERE app_id = $1 AND ended_at IS NULL),
		(SELECT count(*) FROM token_families WHERE app_id = $1 AND revoked_at IS NULL) +
		(SELECT count(*) FROM access_tokens WHERE app_id = $1 AND revoked_at IS NULL) +
		(SELECT count(*) FROM cv_links l JOIN connections c ON c.id = l.connection_id WHERE c.app_id = $1 AND l.ended_at IS NULL)`,
		a.App.ID).Scan(&connections, &below))
	return connections, below
}

// The cost of closing an account must not grow with its connections (behaviour: apps#deleting-an-app), so its
// transaction must not write to any of them.
func TestClosingAccountWritesNoConnections(t *testing.T) {
	t.Parallel()
	const each, batch = 1500, 400
	w := authtest.New(t)
	first, other := w.Confidential(), w.Confidential()
	second, _, err := w.Apps.CreateApp(t.Context(), app.Creation{
		AccountID: first.AccountID, Name: "Another site", RedirectURIs: []string{authtest.RedirectURI}, ClientType: app.Confidential, Scopes: authtest.Everything,
	})
	w.Must(err)
	apps := []authtest.App{first, {App: second}}
	for _, a := range append(apps, other) {
		connectMany(w, a, each)
	}
	anyone := func(a authtest.App, token string) bool {
		_, err := w.Stores.States.Read(t.Context(), state.AccessToken, credential.Hash(fmt.Sprint("t", a.App.ID, token)), w.Clock.Now())
		return err == nil
	}
	if !anyone(first, "7") || !anyone(other, "7") {
		t.Fatal("the tokens are not live")
	}

	_, err = w.Stores.Accounts.CloseAccount(t.Context(), first.AccountID, w.Clock.Now(), func(account.Account) error { return nil })
	w.Must(err)
	for _, a := range apps {
		if connections, below := living(w, a); connections != each || below != 3*each {
			t.Errorf("closing the account changed rows: %d connections and %d rows below them are still live", connections, below)
		}
		if anyone(a, "7") || anyone(a, "1500") {
			t.Error("a token is live after the account was closed")
		}
	}

	var ended []int
	for {
		n, err := w.Stores.Connections.EndConnections(t.Context(), w.Clock.Now(), batch)
		w.Must(err)
		if ended = append(ended, n); n < batch {
			break
		}
	}
	if fmt.Sprint(ended) != "[400 400 400 400 400 400 400 200]" {
		t.Errorf("the rows were ended in batches of %v", ended)
	}
	for _, a := range apps {
		if connections, below := living(w, a); connections != 0 || below != 0 {
			t.Errorf("%d connections and %d rows below them are still live", connections, below)
		}
	}
	if connections, below := living(w, other); connections != each || below != 3*each || !anyone(other, "7") {
		t.Errorf("a different account has %d connections and %d rows below them left", connections, below)
	}
}
