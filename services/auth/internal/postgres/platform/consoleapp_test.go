package platform_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/platform/console"
)

// wanted returns a specification of the console's app with the given secret. Its Settle function keeps all live
// secrets, and stores them in seen.
func wanted(w *authtest.World, secret string, seen *[]console.Secret) console.Wanted {
	now := w.Clock.Now()
	account := account.Account{ID: id.New("dev"), Name: "Vitae", Plan: account.Plan{Name: account.Standard}, CreatedAt: now}
	return console.Wanted{
		Account: account,
		App: app.App{
			ID: id.New("app"), AccountID: account.ID, Name: "Console", ClientID: credential.New(credential.ClientID), ClientType: app.Confidential,
			RedirectURIs: []string{authtest.RedirectURI}, Scopes: authtest.Everything[:2], CreatedAt: now,
		},
		RedirectURI: authtest.RedirectURI + "/" + secret,
		Secret:      app.NewSecret{ID: id.New("sec"), Hash: credential.Hash(secret), CreatedBy: "console"},
		Settle: func(live []console.Secret) ([]console.Secret, bool) {
			*seen = live
			return live, slices.ContainsFunc(live, func(s console.Secret) bool { return s.Hash == credential.Hash(secret) })
		},
	}
}

func TestConsoleAppChangeLeavesOtherApps(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	others := []authtest.App{w.Confidential()}
	var seen []console.Secret
	ensure := func(secret string) app.App {
		t.Helper()
		app, err := w.Stores.Console.EnsureConsoleApp(t.Context(), wanted(w, secret, &seen), w.Clock.Now())
		w.Must(err)
		return app
	}
	made := ensure("one")
	others = append(others, w.Confidential())
	rows := func() (all string) {
		t.Helper()
		w.Must(w.Pool.QueryRow(t.Context(), "SELECT string_agg(to_jsonb(a)::text, ' ' ORDER BY id) FROM apps a WHERE id = ANY ($1)", []string{others[0].App.ID, others[1].App.ID}).Scan(&all))
		return all
	}
	before := rows()
	w.Clock.Advance(time.Minute)
	again := ensure("two")
	if again.ID != made.ID || !slices.Equal(again.RedirectURIs, []string{authtest.RedirectURI + "/two"}) {
		t.Errorf("the second call returned %+v, the first %+v", again, made)
	}
	if got := rows(); got != before {
		t.Errorf("other apps changed from %s to %s", before, got)
	}
	stored, err := w.Stores.Apps.App(t.Context(), made.ID)
	if err != nil || !slices.Equal(stored.RedirectURIs, again.RedirectURIs) {
		t.Errorf("the stored app is %+v, %v", stored, err)
	}
}

// Even secrets created at the same time need a defined order, so that all replicas keep the same ones.
func TestConsoleSecretsAreReadNewestFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	w.Confidential()
	var seen []console.Secret
	var app app.App
	for n := range 5 {
		var err error
		app, err = w.Stores.Console.EnsureConsoleApp(t.Context(), wanted(w, fmt.Sprint("secret ", n), &seen), w.Clock.Now())
		w.Must(err)
		w.Clock.Advance(time.Minute)
	}
	w.Confidential()
	now := w.Clock.Now()
	ids := authtest.Names(w, "SELECT id FROM client_secrets WHERE app_id = '"+app.ID+"'")
	set := func(secretID string, createdAt time.Time, expiresAt *time.Time) {
		t.Helper()
		_, err := w.Pool.Exec(t.Context(), "UPDATE client_secrets SET created_at = $2, expires_at = $3 WHERE id = $1", secretID, createdAt, expiresAt)
		w.Must(err)
	}
	soon := now.Add(time.Microsecond)
	set(ids[0], now.Add(-time.Hour), &soon)
	set(ids[1], now.Add(-time.Minute), nil)
	set(ids[2], now.Add(-time.Minute), nil)
	set(ids[3], now.Add(-time.Hour).Add(time.Second), nil)
	set(ids[4], now, &now) // this secret has just expired
	_, err := w.Stores.Console.EnsureConsoleApp(t.Context(), wanted(w, "secret 1", &seen), now)
	w.Must(err)
	var got []string
	for _, s := range seen {
		got = append(got, s.ID)
	}
	if want := []string{ids[2], ids[1], ids[3], ids[0]}; !slices.Equal(got, want) {
		t.Errorf("live secrets: %v, want %v", got, want)
	}
}

// A session may be opened while its connection is being ended.
func TestConsoleSessionEndsWithItsConnection(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := authtest.ConsoleApp(w)
	bystander := w.Person()
	w.Tokens(bystander, w.Confidential(), "profile")
	w.Must(authtest.OpenConsole(w, "bystander", w.Tokens(bystander, a, "profile").Access))
	p := w.Person()
	w.Must(authtest.OpenConsole(w, "first", w.Tokens(p, a, "profile").Access))
	lives := func(called string) bool {
		t.Helper()
		_, err := w.Stores.Console.ConsoleSession(t.Context(), credential.Hash(called), w.Clock.Now(), w.Clock.Now().Add(-time.Hour))
		if err != nil && !errors.Is(err, session.ErrEnded) {
			t.Error(err)
		}
		return err == nil
	}
	all, err := w.Stores.Connections.Connections(t.Context(), p, w.Clock.Now())
	w.Must(err)
	_, err = w.Stores.Connections.EndConnection(t.Context(), p, all[0].ID, w.Clock.Now())
	w.Must(err)
	late := credential.Hash("late")
	_, err = w.Pool.Exec(t.Context(), `INSERT INTO console_sessions (hash, person_id, connection_id, created_at, used_at, expires_at, browser_session)
		SELECT $1, $2, $3, $4::timestamptz, $4, $4 + interval '1 hour', id FROM sessions WHERE person_id = $2`, late[:], p, all[0].ID, w.Clock.Now())
	w.Must(err)
	if lives("first") || lives("late") || !lives("bystander") {
		t.Errorf("live: first %t, late %t, a different person's %t", lives("first"), lives("late"), lives("bystander"))
	}
	_, err = w.Pool.Exec(t.Context(), "UPDATE apps SET deleted_at = $2 WHERE id = $1", a.App.ID, w.Clock.Now())
	w.Must(err)
	if lives("bystander") {
		t.Error("a session outlives its app")
	}
}

// A form must be accepted only once per session, and not if its session is being ended.
func TestFormIsAcceptedOncePerSession(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, p := authtest.ConsoleApp(w), w.Person()
	token := w.Tokens(p, a, "profile").Access
	for _, called := range []string{"one", "two", "three"} {
		w.Must(authtest.OpenConsole(w, called, token))
	}
	take := func(called, form string) error {
		return w.Stores.Console.TakeConsoleForm(t.Context(), credential.Hash(called), form)
	}
	for _, called := range []string{"one", "two"} {
		w.Must(take(called, "form"))
		if err := take(called, "form"); !errors.Is(err, console.ErrFormSent) {
			t.Errorf("%s again: %v", called, err)
		}
	}
	if err := take("no session", "another form"); !errors.Is(err, console.ErrFormSent) {
		t.Errorf("without a session: %v", err)
	}

	tx, err := w.Pool.Begin(t.Context())
	w.Must(err)
	hash := credential.Hash("three")
	_, err = tx.Exec(t.Context(), "DELETE FROM console_sessions WHERE hash = $1", hash[:])
	w.Must(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := take("three", "form"); !errors.Is(err, console.ErrFormSent) {
			t.Errorf("while the session ends: %v", err)
		}
	}()
	authtest.Waits(w, 1, done)
	w.Must(tx.Commit(t.Context()))
	<-done
}

func TestRecordingConsoleUseDoesNotWait(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	w.Must(authtest.OpenConsole(w, "one", w.Tokens(w.Person(), authtest.ConsoleApp(w), "profile").Access))
	w.Clock.Advance(time.Minute)
	hash := credential.Hash("one")
	authtest.DoesNotWait(w, "a use", "SELECT 1 FROM console_sessions WHERE hash = $1 FOR NO KEY UPDATE", hash[:], func() error {
		return w.Stores.Console.NoteConsoleSessionUse(t.Context(), hash, w.Clock.Now())
	})
}
