package postgres_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
)

// operation is a call of the store that is ready to be made.
type operation struct {
	name string
	do   func(ctx context.Context) error
	// event is what the audit log has of it and not of every call; nil if it has none.
	event *audit.Event
}

// operations are calls of all methods, each on rows of its own or after those that it needs.
func operations(w *authtest.World) (all []operation) {
	w.Helper()
	for _, some := range []func(*authtest.World) []operation{
		personOperations, ownAccountOperations, deletionOperations, passkeyOperations, browserOperations, accountOperations, appOperations, secretOperations, consentOperations,
		connectionOperations, grantOperations, revokeOperations, stateOperations, usageOperations, auditOperations,
	} {
		all = append(all, some(w)...)
	}
	return all
}

// called is what the audit log has of every call of these tests.
func called(requestID string) audit.Event {
	return audit.Event{
		Action: audit.MethodCall, Outcome: audit.Done, Actor: audit.Actor{Kind: audit.Anonymous}, Caller: audit.Gateway,
		Object: audit.Object{Type: "connection"}, ClientAddress: "203.0.113.7", RequestID: requestID, Details: map[string]string{},
	}
}

// A statement that fails is not an answer. A method that goes on after it would tell its
// caller something that is not so, or commit half of a change.
func TestNoStatementFailsUnnoticedAndNoChangeIsHalfMade(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for _, o := range operations(w) {
		w.NoFaultIsSwallowed(o.name, true, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			call := audit.NewCall(called(id.New("req")))
			ctx = audit.NewContext(ctx, call)
			err := o.do(ctx)
			if n := len(call.Result().Stored); (n > 0) != (err == nil && o.event != nil) {
				t.Errorf("%s: %d events are said to be stored, and the answer is %v", o.name, n, err)
			}
			return err
		})
	}
}

// There is no change without its event, and the call knows the event that is stored.
func TestAChangeHasOneEventThatSaysWhoDidWhatToWhom(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for _, o := range operations(w) {
		call := audit.NewCall(called(id.New("req")))
		ctx := audit.NewContext(t.Context(), call)
		w.Must(o.do(ctx))
		all, err := w.Store.Events(t.Context(), auditlog.Query{After: auditlog.Position{At: time.Now().AddDate(1, 0, 0)}, AtMost: 1000})
		w.Must(err)
		stored, request := []audit.Event{}, call.Ended("").RequestID
		for _, e := range all {
			if e.RequestID == request {
				stored = append(stored, e)
			}
		}
		if o.event == nil {
			if len(stored) > 0 {
				t.Errorf("%s: %+v", o.name, stored)
			}
			continue
		}
		want := called(request)
		want.AccountID, want.AppID, want.PersonID, want.Object.ID = o.event.AccountID, o.event.AppID, o.event.PersonID, o.event.Object.ID
		if o.event.Actor.Kind != "" {
			want.Actor = o.event.Actor
		}
		if o.event.Action != "" {
			want.Action = o.event.Action
		}
		if o.event.Object.Type != "" {
			want.Object.Type = o.event.Object.Type
		}
		if o.event.Details != nil {
			want.Details = o.event.Details
		}
		if told := call.Result().Stored; len(stored) != 1 || len(told) != 1 || told[0].ID != stored[0].ID {
			t.Errorf("%s: stored %+v, told %+v", o.name, stored, told)
			continue
		}
		for _, got := range []audit.Event{stored[0], call.Result().Stored[0]} {
			if got.ID, got.At = "", (time.Time{}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", o.name, got, want)
			}
		}
	}
}

func personOperations(w *authtest.World) []operation {
	p, now := w.Person(), w.Clock.Now()
	made := person.Person{ID: id.New("usr"), Email: "new@example.com", CreatedAt: now}
	open, old := credential.Hash("open"), credential.Hash("old")
	w.Must(w.Store.OpenSession(w.Context(), session.Opening{Hash: old, Previous: credential.Hash("none"), PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	other := w.Person()
	w.Must(w.Store.OpenSession(w.Context(), session.Opening{Hash: credential.Hash("more"), Previous: credential.Hash("none"), PersonID: other, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	own := &audit.Event{Actor: audit.ByPerson(p), PersonID: p}
	return []operation{
		{"create a person", func(ctx context.Context) error {
			return w.Store.CreatePerson(ctx, made, made.Email, "hash")
		}, &audit.Event{PersonID: made.ID, Object: audit.Object{ID: made.ID}}},
		{"person", func(ctx context.Context) error { _, err := w.Store.Person(ctx, p); return err }, nil},
		{"person by e-mail", func(ctx context.Context) error { _, _, err := w.Store.PersonByEmail(ctx, p+"@example.com"); return err }, nil},
		{"replace a password hash", func(ctx context.Context) error { return w.Store.ReplacePasswordHash(ctx, p, "no password", "other") }, nil},
		{"open a session", func(ctx context.Context) error {
			return w.Store.OpenSession(ctx, session.Opening{Hash: open, Previous: credential.Hash("none"), PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
		}, &audit.Event{Action: audit.SignIn, Actor: audit.ByPerson(p), PersonID: p}},
		{"session", func(ctx context.Context) error { _, err := w.Store.Session(ctx, old, now, nil); return err }, nil},
		{"sessions", func(ctx context.Context) error { _, err := w.Store.Sessions(ctx, p, old, now, 10); return err }, nil},
		{"session, used again", func(ctx context.Context) error {
			_, err := w.Store.Session(ctx, old, now.Add(session.UseEvery), nil)
			return err
		}, nil},
		{"end a session that is not there", func(ctx context.Context) error { return w.Store.EndSession(ctx, p, "none") }, nil},
		{"end all sessions", func(ctx context.Context) error { return w.Store.EndAllSessions(ctx, other) }, &audit.Event{Actor: audit.ByPerson(other), PersonID: other}},
		{"set a language", func(ctx context.Context) error { return w.Store.SetLanguage(ctx, p, "ar") }, &audit.Event{
			Actor: audit.ByPerson(p), PersonID: p, Object: audit.Object{ID: p},
		}},
		{"close a session", func(ctx context.Context) error { return w.Store.CloseSession(ctx, old) }, own},
		{"close a closed session", func(ctx context.Context) error { return w.Store.CloseSession(ctx, old) }, nil},
	}
}

func browserOperations(w *authtest.World) []operation {
	p, now := w.Person(), w.Clock.Now()
	email, known, fresh, none := p+"@example.com", credential.Hash("known"), credential.Hash("fresh"), credential.Hash("none")
	w.Must(w.Store.AddDevice(w.Context(), known, none, p, now, now.Add(time.Hour), 5))
	k := ceiling.Key{Account: credential.Hash(email), Device: known}
	change := func(turn *ceiling.Turn) func(context.Context) error {
		return func(ctx context.Context) error {
			return w.Store.ChangeCeiling(ctx, k, func(s ceiling.State) ceiling.State { s.Turn = turn; return s })
		}
	}
	return []operation{
		{"count an attempt", func(ctx context.Context) error {
			_, err := w.Store.CountDeviceAttempt(ctx, known, email, now, 5)
			return err
		}, nil},
		{"uncount an attempt", func(ctx context.Context) error { return w.Store.UncountDeviceAttempt(ctx, known, email) }, nil},
		{"confirm a browser", func(ctx context.Context) error {
			_, err := w.Store.ConfirmDevice(ctx, known, p, now, now.Add(time.Hour))
			return err
		}, nil},
		{"renew a browser", func(ctx context.Context) error { return w.Store.RenewDevice(ctx, known, p, now, now.Add(time.Hour)) }, nil},
		{"add a browser", func(ctx context.Context) error {
			return w.Store.AddDevice(ctx, fresh, known, p, now, now.Add(time.Hour), 5)
		}, nil},
		{"no ceiling", func(ctx context.Context) error { _, err := w.Store.Ceiling(ctx, k); return err }, nil},
		{"take a turn", change(&ceiling.Turn{DueAt: now}), nil},
		{"ceiling", func(ctx context.Context) error { _, err := w.Store.Ceiling(ctx, k); return err }, nil},
		{"lose a turn", change(nil), nil},
	}
}
