package people_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
)

// sharedBrowser returns the tokens of a browser that three people use. Its token has been replaced once.
func sharedBrowser(w *authtest.World) (token, moved credential.Digest, people [3]string) {
	token, moved = credential.Hash("token"), credential.Hash("moved")
	none, now := credential.Hash("none"), w.Clock.Now()
	for i := range people {
		people[i] = w.Person()
		w.Must(w.Stores.Sessions.AddDevice(w.Context(), token, none, people[i], now, now.Add(time.Hour), 5))
	}
	w.Must(w.Stores.Sessions.AddDevice(w.Context(), moved, token, w.Person(), now, now.Add(time.Hour), 5))
	return token, moved, people
}

// atOnce starts two changes, both of which wait for a lock on the person whose id is held. It then lets them
// continue at the same time.
func atOnce(t *testing.T, w *authtest.World, held string, changes ...func() error) {
	t.Helper()
	holder, err := w.Pool.Begin(t.Context())
	w.Must(err)
	defer func() { _ = holder.Rollback(context.Background()) }()
	_, err = holder.Exec(t.Context(), "SELECT 1 FROM people WHERE id = $1 FOR UPDATE", held)
	w.Must(err)
	done := make(chan error, len(changes))
	for _, change := range changes {
		go func() { done <- change() }()
	}
	for waiting := 0; waiting < len(changes); {
		if len(done) > 0 {
			t.Fatalf("a change did not wait for its person: %v", <-done)
		}
		w.Must(w.Pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting))
	}
	w.Must(holder.Rollback(t.Context()))
	for range changes {
		if err := <-done; err != nil {
			t.Errorf("one of two concurrent sign-ins in a browser failed: %v", err)
		}
	}
}

func TestTwoPeopleSignInInOneBrowser(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	token, _, people := sharedBrowser(w)
	now := w.Clock.Now()
	signIn := func(as string, personID string) func() error {
		return func() error {
			return w.Stores.Sessions.AddDevice(t.Context(), credential.Hash(as), token, personID, now, now.Add(time.Hour), 5)
		}
	}
	atOnce(t, w, people[2], signIn("first", people[0]), signIn("second", people[1]))
	for as, personID := range map[string]string{"first": people[0], "second": people[1]} {
		known, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), credential.Hash(as), personID+"@example.com", now, 1)
		if err != nil || !known {
			t.Errorf("%s: known %t, %v", as, known, err)
		}
	}
}

func TestSignInWithBothTokensOfABrowser(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	token, moved, people := sharedBrowser(w)
	now := w.Clock.Now()
	atOnce(t, w, people[0],
		func() error {
			_, err := w.Stores.Sessions.ConfirmDevice(t.Context(), moved, people[0], now, now.Add(time.Hour))
			return err
		},
		func() error {
			return w.Stores.Sessions.AddDevice(t.Context(), credential.Hash("fresh"), token, people[0], now, now.Add(time.Hour), 5)
		})
	if known, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), credential.Hash("fresh"), people[0]+"@example.com", now, 1); err != nil || !known {
		t.Errorf("known %t, %v", known, err)
	}
}

// Both a sign-in and the cleanup delete several of a person's browsers. They could deadlock if each waited for rows
// that the other has locked.
func TestBrowserCleanUpDoesNotWait(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	person, past := w.Person(), w.Clock.Now().Add(-time.Hour)
	held, free := credential.Hash("held"), credential.Hash("free")
	for _, hash := range []credential.Digest{held, free} {
		w.Must(w.Stores.Sessions.AddDevice(t.Context(), hash, credential.Hash("none"), person, past.Add(-time.Hour), past, 5))
	}
	signIn, err := w.Pool.Begin(t.Context())
	w.Must(err)
	defer func() { _ = signIn.Rollback(context.Background()) }()
	_, err = signIn.Exec(t.Context(), "DELETE FROM devices WHERE hash = $1", held[:])
	w.Must(err)
	done := make(chan error, 1)
	go func() {
		_, err := w.Stores.Cleanup.DeleteDead(t.Context(), w.Clock.Now(), 100)
		done <- err
	}()
	for len(done) == 0 {
		var waiting int
		w.Must(w.Pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting))
		if waiting > 0 {
			t.Error("the cleanup waits for the sign-in")
			w.Must(signIn.Rollback(t.Context()))
			break
		}
	}
	w.Must(<-done)
	var left int
	w.Must(w.Pool.QueryRow(t.Context(), "SELECT count(*) FROM devices WHERE hash = $1", free[:]).Scan(&left))
	if left != 0 {
		t.Error("a browser that no sign-in has locked is left")
	}
}

func TestSignInsInOtherBrowsersDoNotWait(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	token, _, people := sharedBrowser(w)
	now := w.Clock.Now()
	authtest.DoesNotWait(w, "a sign-in", "SELECT 1 FROM people WHERE id = $1 FOR NO KEY UPDATE", w.Person(), func() error {
		return w.Stores.Sessions.AddDevice(t.Context(), credential.Hash("the next"), token, people[0], now, now.Add(time.Hour), 5)
	})
}
