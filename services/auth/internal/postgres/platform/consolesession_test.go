package platform_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/console"
)

func TestConsoleSessionNeedsAConsoleToken(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	before, a, p := w.Confidential(), authtest.ConsoleApp(w), w.Person()
	after := w.Confidential()
	bystanders := func() {
		for _, app := range []authtest.App{before, a, after} {
			w.Tokens(w.Person(), app, "profile")
		}
	}
	bystanders()
	token := w.Tokens(p, a, "profile").Access
	bystanders()
	w.Must(authtest.OpenConsole(w, "alive", token))
	refused := func(name, token string) {
		t.Helper()
		if err := authtest.OpenConsole(w, name, token); !errors.Is(err, session.ErrEnded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("of another app", w.Tokens(p, after, "profile").Access)
	refused("of nobody", "no token")
	refused("of the legacy interface", w.LegacyToken(w.Person(), a))
	_, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), a.AccountID, "", w.Clock.Now(), nil)
	w.Must(err)
	refused("of a suspended account", token)
	_, _, err = w.Stores.Accounts.ResumeAccount(t.Context(), a.AccountID, w.Clock.Now(), nil)
	w.Must(err)
	w.Must(authtest.OpenConsole(w, "alive again", token))

	leaver := w.Person()
	left := w.Tokens(leaver, a, "profile").Access
	all, err := w.Stores.Connections.Connections(t.Context(), leaver, w.Clock.Now())
	w.Must(err)
	_, err = w.Pool.Exec(t.Context(), "UPDATE connections SET ended_at = $2 WHERE id = $1", all[0].ID, w.Clock.Now())
	w.Must(err)
	refused("of a connection that has ended", left)
	revoked := w.Tokens(w.Person(), a, "profile").Access
	hash := credential.Hash(revoked)
	_, err = w.Pool.Exec(t.Context(), "UPDATE access_tokens SET revoked_at = $2 WHERE hash = $1", hash[:], w.Clock.Now())
	w.Must(err)
	refused("that was revoked", revoked)

	w.Clock.Advance(authtest.AccessLife - time.Microsecond)
	w.Must(authtest.OpenConsole(w, "in its last microsecond", token))
	w.Clock.Advance(time.Microsecond)
	refused("that has expired", token)
}

// The session was still live when the consent page was submitted.
func TestEndedSessionCannotConsent(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, p := authtest.ConsoleApp(w), w.Person()
	if err := consentTo(w, a, p); !errors.Is(err, session.ErrEnded) {
		t.Errorf("without a session: %v", err)
	}
	all, err := w.Stores.Connections.Connections(t.Context(), p, w.Clock.Now())
	w.Must(err)
	if len(all) != 0 {
		t.Errorf("%d connections are left", len(all))
	}
}

func TestConsoleSessionBelongsToOnePerson(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := authtest.ConsoleApp(w)
	people := map[string]string{}
	for _, name := range []string{"first", "second", "third"} {
		people[name] = w.Person()
		w.Must(authtest.OpenConsole(w, name, w.Tokens(people[name], a, "profile").Access))
	}
	began := w.Clock.Now()
	reads := func(name string, now, since time.Time) (console.Session, error) {
		t.Helper()
		return w.Stores.Console.ConsoleSession(t.Context(), credential.Hash(name), now, since)
	}
	for name, id := range people {
		s, err := reads(name, began, began.Add(-time.Hour))
		if err != nil || s.Person.ID != id || s.Name != name || s.Hash != credential.Hash(name) || !s.UsedAt.Equal(began) || !s.ExpiresAt.Equal(began.Add(12*time.Hour)) {
			t.Errorf("%s is %+v, %v", name, s, err)
		}
	}
	end := began.Add(12 * time.Hour)
	for name, c := range map[string]struct {
		now, since time.Time
		lives      bool
	}{
		"at its end": {end, began.Add(-1), false}, "just before": {end.Add(-time.Microsecond), began.Add(-time.Microsecond), true},
		"not used since it began": {began, began, false},
	} {
		if _, err := reads("second", c.now, c.since); (err == nil) != c.lives || !c.lives && !errors.Is(err, session.ErrEnded) {
			t.Errorf("%s: %v", name, err)
		}
	}

	used := began.Add(time.Minute)
	w.Must(w.Stores.Console.NoteConsoleSessionUse(t.Context(), credential.Hash("second"), used))
	w.Must(w.Stores.Console.NoteConsoleSessionUse(t.Context(), credential.Hash("second"), began)) // another replica records an earlier use late
	for name := range people {
		want := began
		if name == "second" {
			want = used
		}
		if s, err := reads(name, used, began.Add(-time.Hour)); err != nil || !s.UsedAt.Equal(want) {
			t.Errorf("%s was used at %v, want %v, %v", name, s.UsedAt, want, err)
		}
	}
	w.Must(w.Stores.Console.CloseConsoleSession(t.Context(), credential.Hash("second")))
	for name := range people {
		if _, err := reads(name, used, began.Add(-time.Hour)); (err == nil) != (name != "second") {
			t.Errorf("after the second session was closed, %s: %v", name, err)
		}
	}
	_, err := authtest.DeleteApp(w, a)
	w.Must(err)
	if s, err := reads("first", used, began.Add(-time.Hour)); !errors.Is(err, session.ErrEnded) {
		t.Errorf("session of a deleted app: %+v, %v", s, err)
	}
}
