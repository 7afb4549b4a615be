package platform_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/platform/app"
)

// authenticated contains a function for each statement that checks a client's secret. The function prepares a call
// by the app and returns that call, which uses the secret.
var authenticated = map[string]func(w *authtest.World, p string, a authtest.App) func(context.Context) error{
	"exchange of a code": func(w *authtest.World, p string, a authtest.App) func(context.Context) error {
		code := w.Code(p, a, "profile")
		return func(ctx context.Context) error {
			_, err := w.Grant.ExchangeCode(ctx, authtest.Exchange(a, code))
			return err
		}
	},
	"exchange of a legacy code": func(w *authtest.World, p string, a authtest.App) func(context.Context) error {
		code := w.LegacyCode(p, a)
		return func(ctx context.Context) error {
			_, err := w.Grant.ExchangeLegacyCode(ctx, grant.LegacyExchange{Client: a.Credentials, Code: code})
			return err
		}
	},
	"refresh": func(w *authtest.World, p string, a authtest.App) func(context.Context) error {
		refresh := w.Tokens(p, a, "profile").Refresh
		return func(ctx context.Context) error {
			_, err := w.Grant.RefreshToken(ctx, grant.Refresh{Client: a.Credentials, Token: refresh})
			return err
		}
	},
	"introspection of an access token": func(w *authtest.World, _ string, a authtest.App) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Token.Introspect(ctx, a.Credentials, credential.New(credential.AccessToken), token.Leave{})
			return err
		}
	},
	"introspection of a refresh token": func(w *authtest.World, _ string, a authtest.App) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Token.Introspect(ctx, a.Credentials, credential.New(credential.RefreshToken), token.Leave{})
			return err
		}
	},
	"revocation": func(w *authtest.World, _ string, a authtest.App) func(context.Context) error {
		return func(ctx context.Context) error {
			return w.Token.Revoke(ctx, a.Credentials, credential.New(credential.AccessToken))
		}
	},
}

func TestSecretIsValidUntilItExpires(t *testing.T) {
	t.Parallel()
	for name, prepare := range authenticated {
		w := authtest.New(t)
		p, a := w.Person(), w.Legacy()
		before, after := prepare(w, p, a), prepare(w, p, a)
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET expires_at = $1", w.Clock.Now().Add(time.Microsecond))
		w.Must(err)
		if err := before(t.Context()); err != nil {
			t.Errorf("%s: before the expiry: %v", name, err)
		}
		w.Clock.Advance(time.Microsecond)
		if err := after(t.Context()); !errs.HasCode(err, client.ErrInvalid.Code) {
			t.Errorf("%s: at the expiry: %v", name, err)
		}
	}
}

// notedAgain is how long after a recorded use the next use is recorded. The recorded time may then be up to an hour
// old, because the gateway continues to accept a client for a few seconds with its session record.
const notedAgain = 59 * time.Minute

func TestSecretUseIsRecordedWithinTheHour(t *testing.T) {
	t.Parallel()
	for name, prepare := range authenticated {
		w := authtest.New(t)
		p, a, idle := w.Person(), w.Legacy(), w.Legacy()
		uses := []func(context.Context) error{prepare(w, p, a), prepare(w, p, a), prepare(w, p, a)}
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET last_used_at = NULL")
		w.Must(err)
		if _, err := w.Pool.Exec(t.Context(), "UPDATE authorization_codes SET expires_at = expires_at + interval '1 day'"); err != nil {
			t.Fatal(err)
		}
		noted := func(id string) (at *time.Time) {
			w.Must(w.Pool.QueryRow(t.Context(), "SELECT last_used_at FROM client_secrets WHERE app_id = $1", id).Scan(&at))
			return at
		}
		use := func(i int, want time.Time) {
			t.Helper()
			w.Must(uses[i](t.Context()))
			if got := noted(a.App.ID); got == nil || !got.Equal(want) {
				t.Errorf("%s: after use %d, the recorded use is %v, want %v", name, i, got, want)
			}
		}
		use(0, authtest.Start)
		w.Clock.Advance(notedAgain - time.Microsecond)
		use(1, authtest.Start)
		w.Clock.Advance(time.Microsecond)
		use(2, authtest.Start.Add(notedAgain))
		if got := noted(idle.App.ID); got != nil {
			t.Errorf("%s: the use of a different app's secret was recorded at %v", name, got)
		}
	}
}

// If a use has been recorded within the last hour, no further statement is needed.
func TestClientListsSecretsWithDueUse(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, now := w.Confidential(), w.Clock.Now()
	secretID := authtest.Names(w, "SELECT id FROM client_secrets")[0]
	for name, read := range map[string]func() (client.Client, error){
		"client": func() (client.Client, error) { return w.Stores.Grants.Client(t.Context(), a.ClientID, now) },
		"introspection": func() (client.Client, error) {
			c, _, err := w.Stores.Grants.Introspect(t.Context(), a.ClientID, token.Access, credential.Hash("none"), now)
			return c, err
		},
		"introspection of a refresh token": func() (client.Client, error) {
			c, _, err := w.Stores.Grants.Introspect(t.Context(), a.ClientID, token.Refresh, credential.Hash("none"), now)
			return c, err
		},
	} {
		for used, want := range map[time.Time]string{{}: secretID, now.Add(-notedAgain): secretID, now.Add(-notedAgain + time.Microsecond): "", now: ""} {
			var at *time.Time
			if !used.IsZero() {
				at = &used
			}
			_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET last_used_at = $1", at)
			w.Must(err)
			c, err := read()
			if err != nil || len(c.Secrets) != 1 || c.Secrets[0].ToNote != want || credential.Digest(c.Secrets[0].Hash) != credential.Hash(a.Secret) {
				t.Errorf("%s, used at %v: %+v, %v", name, used, c.Secrets, err)
			}
		}
	}
}

// Otherwise, one slow transaction would block all clients of an app.
func TestRecordingSecretUseDoesNotWait(t *testing.T) {
	t.Parallel()
	for name, prepare := range authenticated {
		w := authtest.New(t)
		use := prepare(w, w.Person(), w.Legacy())
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET last_used_at = NULL")
		w.Must(err)
		tx, err := w.Pool.Begin(t.Context())
		w.Must(err)
		_, err = tx.Exec(t.Context(), "SELECT 1 FROM client_secrets FOR NO KEY UPDATE")
		w.Must(err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := use(ctx); err != nil {
				t.Errorf("%s: the call failed: %v", name, err)
			}
		}()
		authtest.Waits(w, 1, done)
		select {
		case <-done:
		default:
			t.Errorf("%s: the call waits for the other transaction", name)
		}
		cancel()
		<-done
		w.Must(tx.Rollback(t.Context()))
	}
}

// change replaces an app's client secrets with the secrets that keep returns and a new one.
func change(w *authtest.World, a authtest.App, added *app.NewSecret, keep func(live []app.ClientSecret) []app.ClientSecret) []app.ClientSecret {
	w.Helper()
	changed, err := w.Stores.Apps.ChangeClientSecrets(w.Context(), a.App.ID, w.Clock.Now(), func(app app.App, live []app.ClientSecret) ([]app.ClientSecret, *app.NewSecret, error) {
		if app.ID != a.App.ID {
			w.Errorf("the change is asked about %s", app.ID)
		}
		return keep(live), added, nil
	})
	w.Must(err)
	if changed.App.ID != a.App.ID {
		w.Errorf("the answer is about %s", changed.App.ID)
	}
	return changed.Live
}

func secretIDs(all []app.ClientSecret) (ids []string) {
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	return ids
}

func TestSecretChangeAffectsOneApp(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	w.Clock.Advance(time.Hour)
	other := w.Confidential() // the other app's secret is newer
	first, err := w.Stores.Apps.ClientSecrets(t.Context(), a.App.ID, w.Clock.Now())
	w.Must(err)
	foreign, err := w.Stores.Apps.ClientSecrets(t.Context(), other.App.ID, w.Clock.Now())
	w.Must(err)
	everything := func(live []app.ClientSecret) []app.ClientSecret { return live }
	// Replicas' clocks may differ, so the newest secret must be the one that was created last.
	w.Clock.Advance(-time.Hour - time.Minute)
	second := &app.NewSecret{ID: id.New("sec"), Hash: credential.Hash("second"), CreatedBy: "vitaectl"}
	live := change(w, a, second, everything)
	if got := secretIDs(live); !slices.Equal(got, []string{second.ID, first[0].ID}) {
		t.Fatalf("secrets %v", got)
	}
	if s := live[0]; s.AppID != a.App.ID || s.CreatedBy != "vitaectl" || s.ExpiresAt != nil || !s.CreatedAt.Equal(first[0].CreatedAt.Add(time.Microsecond)) {
		t.Errorf("the new secret is %+v, the previous one has the time %v", s, first[0].CreatedAt)
	}
	end := w.Clock.Now().Add(time.Hour)
	live = change(w, a, nil, func(live []app.ClientSecret) []app.ClientSecret {
		live[1].ExpiresAt = &end
		return live[1:]
	})
	if len(live) != 1 || live[0].ID != first[0].ID || !live[0].ExpiresAt.Equal(end) {
		t.Errorf("the kept secrets are %+v", live)
	}
	w.Clock.Advance(time.Hour)
	for app, want := range map[string][]string{a.App.ID: nil, other.App.ID: secretIDs(foreign)} {
		if got, err := w.Stores.Apps.ClientSecrets(t.Context(), app, w.Clock.Now()); err != nil || !slices.Equal(secretIDs(got), want) {
			t.Errorf("live at the expiry: %v, %v, want %v", secretIDs(got), err, want)
		}
	}
	for secret, app := range map[string]string{first[0].ID: a.App.ID, foreign[0].ID: other.App.ID} {
		if got, err := w.Stores.Apps.AppOfSecret(t.Context(), secret); err != nil || got != app {
			t.Errorf("the secret of %s, %v, want %s", got, err, app)
		}
	}
	if foreign, err := w.Stores.Apps.ClientSecrets(t.Context(), other.App.ID, w.Clock.Now()); err != nil || foreign[0].ExpiresAt != nil {
		t.Errorf("the other app's secret has an expiry: %v, %v", foreign, err)
	}
}

func TestSecretsWithSameTimeAreOrdered(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	change(w, a, &app.NewSecret{ID: id.New("sec"), Hash: credential.Hash("second")}, func(live []app.ClientSecret) []app.ClientSecret { return live })
	_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET created_at = $1", w.Clock.Now())
	w.Must(err)
	live, err := w.Stores.Apps.ClientSecrets(t.Context(), a.App.ID, w.Clock.Now())
	if err != nil || len(live) != 2 || live[0].ID < live[1].ID {
		t.Errorf("secrets %v, %v", secretIDs(live), err)
	}
	change(w, a, nil, func(live []app.ClientSecret) []app.ClientSecret { return live })
	for range 4 {
		w.Key(a, "jobs:read")
	}
	for _, deletedToo := range []bool{false, true} {
		keys, err := w.Stores.Apps.APIKeys(t.Context(), a.App.ID, deletedToo)
		if err != nil || len(keys) != 4 || !slices.IsSortedFunc(keys, func(a, b app.APIKey) int { return strings.Compare(b.ID, a.ID) }) {
			t.Errorf("deleted too %t: keys %+v, %v", deletedToo, keys, err)
		}
	}
	refusal := errors.New("refused")
	_, err = w.Stores.Apps.ChangeClientSecrets(t.Context(), a.App.ID, w.Clock.Now(), func(app.App, []app.ClientSecret) ([]app.ClientSecret, *app.NewSecret, error) {
		return nil, nil, refusal
	})
	left, _ := w.Stores.Apps.ClientSecrets(t.Context(), a.App.ID, w.Clock.Now())
	if !errors.Is(err, refusal) || !slices.Equal(secretIDs(left), secretIDs(live)) {
		t.Errorf("a rejected change: %v, left %v", err, secretIDs(left))
	}
	_, err = w.Stores.Apps.ChangeClientSecrets(t.Context(), "app_none", w.Clock.Now(), nil)
	if !errs.HasCode(err, app.ErrNotFound.Code) {
		t.Errorf("an unknown app: %v", err)
	}
}

func TestSecretChangeLeavesOtherApps(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, other, deleted := w.Confidential(), w.Confidential(), w.Confidential()
	authtest.DoesNotWait(w, "a change", "SELECT 1 FROM apps WHERE id = $1 FOR UPDATE", other.App.ID, func() error {
		change(w, a, nil, func(live []app.ClientSecret) []app.ClientSecret { return live })
		return nil
	})
	if _, err := authtest.DeleteApp(w, deleted); err != nil {
		t.Fatal(err)
	}
	_, err := w.Stores.Apps.ChangeClientSecrets(t.Context(), deleted.App.ID, w.Clock.Now(), nil)
	if !errs.HasCode(err, app.ErrNotFound.Code) {
		t.Errorf("secrets of a deleted app: %v", err)
	}
}

// Both requests have read the client before either of them records the use.
func TestOneSecretUseAnHourIsRecorded(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	w.Confidential()
	secretID := authtest.Names(w, "SELECT id FROM client_secrets")[0]
	for _, c := range []struct{ at, want time.Duration }{{0, 0}, {notedAgain - time.Microsecond, 0}, {notedAgain, notedAgain}, {time.Minute, notedAgain}} {
		w.Must(w.Stores.Grants.NoteSecretUse(t.Context(), secretID, authtest.Start.Add(c.at)))
		var noted time.Time
		w.Must(w.Pool.QueryRow(t.Context(), "SELECT last_used_at FROM client_secrets").Scan(&noted))
		if !noted.Equal(authtest.Start.Add(c.want)) {
			t.Errorf("a use after %s is recorded at %s", c.at, noted)
		}
	}
}

// If they were not serialized, each of two concurrent rotations would keep the secret that the other one revokes.
func TestConcurrentSecretChangesAreSerial(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	done, add := make(chan struct{}), func(name string) *app.NewSecret {
		return &app.NewSecret{ID: id.New("sec"), Hash: credential.Hash(name)}
	}
	seen := 0
	change(w, a, add("first"), func(live []app.ClientSecret) []app.ClientSecret {
		go func() {
			defer close(done)
			change(w, a, add("second"), func(live []app.ClientSecret) []app.ClientSecret { seen = len(live); return live })
		}()
		authtest.Waits(w, 1, done)
		return live
	})
	<-done
	if seen != 2 {
		t.Errorf("the second change found %d secrets, want also the secret of the first", seen)
	}
}

func TestExpiringCredentialsAreCounted(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, now := w.Confidential(), w.Clock.Now()
	for _, end := range []time.Duration{-1, 0, 1, 59, 60, 61} {
		at := now.Add(end * time.Minute)
		w.Must(w.Stores.Apps.CreateAPIKey(t.Context(), app.APIKey{ID: id.New("key"), AppID: a.App.ID, ExpiresAt: &at, CreatedAt: now}, credential.Hash(at.String()), nil))
		change(w, a, &app.NewSecret{ID: id.New("sec"), Hash: credential.Hash(at.String())}, func([]app.ClientSecret) []app.ClientSecret { return nil })
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET app_id = $1, expires_at = $2 WHERE app_id = $3", w.Confidential().App.ID, at, a.App.ID)
		w.Must(err)
	}
	keyID, _ := w.Key(a, "jobs:read")
	_, err := w.Pool.Exec(t.Context(), "UPDATE api_keys SET expires_at = $1, deleted_at = $1 WHERE id = $2", now.Add(time.Minute), keyID)
	w.Must(err)
	secrets, keys, err := w.Stores.Cleanup.CountEnding(t.Context(), now, now.Add(time.Hour))
	if err != nil || secrets != 3 || keys != 3 {
		t.Errorf("%d secrets and %d keys, want the ones that expire in 1, 59 and 60 minutes, %v", secrets, keys, err)
	}
}
