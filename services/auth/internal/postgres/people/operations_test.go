package people_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestFailedStatementFailsTheCall(t *testing.T) {
	t.Parallel()
	authtest.CheckFaults(t, personOperations, ownAccountOperations, deletionOperations, passkeyOperations, browserOperations)
}

func TestChangeHasOneAuditEvent(t *testing.T) {
	t.Parallel()
	authtest.CheckEvents(t, personOperations, ownAccountOperations, deletionOperations, passkeyOperations, browserOperations)
}

func personOperations(w *authtest.World) []authtest.Operation {
	p, now := w.Person(), w.Clock.Now()
	made := person.Person{ID: id.New("usr"), Email: "new@example.com", CreatedAt: now}
	open, old := credential.Hash("open"), credential.Hash("old")
	w.Must(w.Stores.Sessions.OpenSession(w.Context(), session.Opening{Hash: old, Previous: credential.Hash("none"), PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	other := w.Person()
	w.Must(w.Stores.Sessions.OpenSession(w.Context(), session.Opening{Hash: credential.Hash("more"), Previous: credential.Hash("none"), PersonID: other, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	own := &audit.Event{Actor: audit.ByPerson(p), PersonID: p}
	return []authtest.Operation{
		{"create a person", func(ctx context.Context) error {
			return w.Stores.People.CreatePerson(ctx, made, made.Email, "hash")
		}, &audit.Event{PersonID: made.ID, Object: audit.Object{ID: made.ID}}},
		{"person", func(ctx context.Context) error { _, err := w.Stores.People.Person(ctx, p); return err }, nil},
		{"person by e-mail", func(ctx context.Context) error {
			_, _, err := w.Stores.People.PersonByEmail(ctx, p+"@example.com")
			return err
		}, nil},
		{"replace a password hash", func(ctx context.Context) error {
			return w.Stores.People.ReplacePasswordHash(ctx, p, "no password", "other")
		}, nil},
		{"open a session", func(ctx context.Context) error {
			return w.Stores.Sessions.OpenSession(ctx, session.Opening{Hash: open, Previous: credential.Hash("none"), PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
		}, &audit.Event{Action: audit.SignIn, Actor: audit.ByPerson(p), PersonID: p}},
		{"session", func(ctx context.Context) error { _, err := w.Stores.Sessions.Session(ctx, old, now, nil); return err }, nil},
		{"sessions", func(ctx context.Context) error {
			_, err := w.Stores.Sessions.Sessions(ctx, p, old, now, 10)
			return err
		}, nil},
		{"session, used again", func(ctx context.Context) error {
			_, err := w.Stores.Sessions.Session(ctx, old, now.Add(session.UseEvery), nil)
			return err
		}, nil},
		{"end a session that is not there", func(ctx context.Context) error { return w.Stores.Sessions.EndSession(ctx, p, "none") }, nil},
		{"end all sessions", func(ctx context.Context) error { return w.Stores.Sessions.EndAllSessions(ctx, other) }, &audit.Event{Actor: audit.ByPerson(other), PersonID: other}},
		{"set a language", func(ctx context.Context) error { return w.Stores.People.SetLanguage(ctx, p, "ar") }, &audit.Event{
			Actor: audit.ByPerson(p), PersonID: p, Object: audit.Object{ID: p},
		}},
		{"close a session", func(ctx context.Context) error { return w.Stores.Sessions.CloseSession(ctx, old) }, own},
		{"close a closed session", func(ctx context.Context) error { return w.Stores.Sessions.CloseSession(ctx, old) }, nil},
	}
}

func browserOperations(w *authtest.World) []authtest.Operation {
	p, now := w.Person(), w.Clock.Now()
	email, known, fresh, none := p+"@example.com", credential.Hash("known"), credential.Hash("fresh"), credential.Hash("none")
	w.Must(w.Stores.Sessions.AddDevice(w.Context(), known, none, p, now, now.Add(time.Hour), 5))
	k := ceiling.Key{Account: credential.Hash(email), Device: known}
	change := func(turn *ceiling.Turn) func(context.Context) error {
		return func(ctx context.Context) error {
			return w.Stores.Guesses.ChangeCeiling(ctx, k, func(s ceiling.State) ceiling.State { s.Turn = turn; return s })
		}
	}
	return []authtest.Operation{
		{"count an attempt", func(ctx context.Context) error {
			_, err := w.Stores.Sessions.CountDeviceAttempt(ctx, known, email, now, 5)
			return err
		}, nil},
		{"uncount an attempt", func(ctx context.Context) error { return w.Stores.Sessions.UncountDeviceAttempt(ctx, known, email) }, nil},
		{"confirm a browser", func(ctx context.Context) error {
			_, err := w.Stores.Sessions.ConfirmDevice(ctx, known, p, now, now.Add(time.Hour))
			return err
		}, nil},
		{"renew a browser", func(ctx context.Context) error {
			return w.Stores.Sessions.RenewDevice(ctx, known, p, now, now.Add(time.Hour))
		}, nil},
		{"add a browser", func(ctx context.Context) error {
			return w.Stores.Sessions.AddDevice(ctx, fresh, known, p, now, now.Add(time.Hour), 5)
		}, nil},
		{"no ceiling", func(ctx context.Context) error { _, err := w.Stores.Guesses.Ceiling(ctx, k); return err }, nil},
		{"take a turn", change(&ceiling.Turn{DueAt: now}), nil},
		{"ceiling", func(ctx context.Context) error { _, err := w.Stores.Guesses.Ceiling(ctx, k); return err }, nil},
		{"lose a turn", change(nil), nil},
	}
}
