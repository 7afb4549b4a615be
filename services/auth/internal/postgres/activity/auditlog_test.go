package activity_test

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/authtest"
)

// deeds returns events with all combinations of people, apps with their accounts, actions and three times, newest
// first.
func deeds(now time.Time) (all []audit.Event) {
	app := [][2]string{{"", ""}, {id.New("dev"), id.New("app")}, {id.New("dev"), id.New("app")}}
	app = append(app, [2]string{app[1][0], id.New("app")}) // a second app of the same account
	for _, person := range []string{"", id.New("usr"), id.New("usr")} {
		for _, a := range app {
			for i, action := range []audit.Action{audit.SignIn, audit.ConsentGrant, audit.PersonRead} {
				for moment := range 2 {
					outcome := []audit.Outcome{audit.Done, audit.Refused}[len(all)%2]
					all = append(all, audit.Event{
						ID: id.New("evt"), At: now.Add(time.Duration(moment-i) * time.Second), Action: action, Outcome: outcome,
						Actor: audit.Actor{Kind: audit.Anonymous}, PersonID: person, AccountID: a[0], AppID: a[1], Details: map[string]string{},
					})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b audit.Event) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	return all
}

func TestAuditLogListsMatchesNewestFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := authtest.ServerTime(w)
	all := deeds(now)
	w.Must(w.Stores.Audit.AddEvents(t.Context(), all))
	e := all[slices.IndexFunc(all, func(e audit.Event) bool { return e.PersonID != "" && e.AppID != "" })]
	other := all[slices.IndexFunc(all, func(o audit.Event) bool { return o.AppID != "" && o.AccountID != e.AccountID })]
	one, two := []string{string(audit.ConsentGrant)}, []string{string(audit.SignIn), string(audit.PersonRead)}
	for name, q := range map[string]auditlog.Query{
		"everything": {}, "an action": {Actions: one}, "actions": {Actions: two},
		"a person": {PersonID: e.PersonID}, "actions of a person": {PersonID: e.PersonID, Actions: two}, "a person in an account": {PersonID: e.PersonID, AccountID: e.AccountID},
		"a person in an app": {PersonID: e.PersonID, AppID: e.AppID}, "an app": {AppID: e.AppID}, "actions of an app": {AppID: e.AppID, Actions: one},
		"an app of an account": {AppID: e.AppID, AccountID: e.AccountID}, "an app in a different account": {AppID: e.AppID, AccountID: other.AccountID},
		"refusals": {Outcome: audit.Refused}, "refusals of an action": {Actions: one, Outcome: audit.Refused}, "refusals of a person": {PersonID: e.PersonID, Outcome: audit.Refused},
		"refusals of an app": {AppID: e.AppID, Outcome: audit.Refused}, "refusals of an account": {AccountID: e.AccountID, Outcome: audit.Refused},
		"an account": {AccountID: e.AccountID}, "actions of an account": {AccountID: e.AccountID, Actions: two},
	} {
		for _, since := range []time.Time{{}, now} {
			for _, before := range []time.Time{now.Add(time.Hour), now.Add(time.Second)} {
				q.Since, q.After = since, auditlog.Position{At: before}
				var want []string
				for _, e := range all {
					if matches(e, q) && e.At.Before(before) {
						want = append(want, e.ID)
					}
				}
				for _, q.AtMost = range []int{4, 1000} {
					if got := pages(w, q); !slices.Equal(got, want) {
						t.Errorf("%s since %v before %v in pages of %d: %d events, want %d", name, since, before, q.AtMost, len(got), len(want))
					}
				}
			}
		}
	}
}

// matches reports whether a query selects an event, disregarding the position in the query.
func matches(e audit.Event, q auditlog.Query) bool {
	is := func(asked, has string) bool { return asked == "" || asked == has }
	return is(string(q.Outcome), string(e.Outcome)) && is(q.PersonID, e.PersonID) && is(q.AppID, e.AppID) && is(q.AccountID, e.AccountID) && !e.At.Before(q.Since) &&
		(len(q.Actions) == 0 || slices.Contains(q.Actions, string(e.Action)))
}

// pages reads all pages of a list and returns the event ids.
func pages(w *authtest.World, q auditlog.Query) (ids []string) {
	w.Helper()
	for range 1000 {
		page, err := w.Stores.Audit.Events(w.Context(), q)
		w.Must(err)
		for _, e := range page {
			ids = append(ids, e.ID)
		}
		if len(page) < q.AtMost {
			return ids
		}
		last := page[len(page)-1]
		q.After = auditlog.Position{At: last.At, ID: last.ID}
	}
	w.Fatal("the list has no end")
	return nil
}

func TestEventIsStoredOnce(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := authtest.ServerTime(w)
	e := audit.Event{
		ID: id.New("evt"), At: now, Action: audit.SignIn, Outcome: audit.Refused, Code: "SIGN_IN_FAILED", Actor: audit.ByPerson(id.New("usr")),
		Caller: "gateway", AccountID: id.New("dev"), AppID: id.New("app"), PersonID: id.New("usr"), Object: audit.Object{Type: "session", ID: id.New("ses")},
		ClientAddress: "2001:db8::1", RequestID: id.New("req"), Details: map[string]string{audit.Status: "active"},
	}
	other := e
	other.Code = "ANOTHER_CODE"
	w.Must(w.Stores.Audit.AddEvents(t.Context(), []audit.Event{e}))
	w.Must(w.Stores.Audit.AddEvents(t.Context(), []audit.Event{other, {ID: id.New("evt"), Action: audit.SignOut}}))
	got, err := w.Stores.Audit.Events(t.Context(), auditlog.Query{After: auditlog.Position{At: now.Add(time.Hour)}, AtMost: 10})
	w.Must(err)
	if len(got) != 2 {
		t.Fatalf("%d events", len(got))
	}
	if got[1].At = got[1].At.UTC(); !reflect.DeepEqual(got[1], e) {
		t.Errorf("\ngot  %+v\nwant %+v", got[1], e)
	}
	if at := got[0].At; at.Before(now) || at.After(authtest.ServerTime(w)) || got[0].Action != audit.SignOut {
		t.Errorf("an event without a time has the time %v, but was stored after %v", at, now)
	}
	// Clear the fields that the listed event must not contain.
	secret := e
	secret.ID, secret.Object.ID = id.New("evt"), "svc_sk_secret"
	w.Must(w.Stores.Audit.AddEvents(t.Context(), []audit.Event{secret}))
	if n := len(authtest.Names(w, "SELECT id FROM audit_events WHERE object_id LIKE 'svc%'")); n != 0 {
		t.Error("a secret is stored")
	}
}

// Other services record the app without its account. The account's log must nevertheless contain the event.
func TestAppEventIsListedForItsAccount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, _ := w.Confidential(), w.Confidential()
	now, elsewhere := authtest.ServerTime(w), id.New("dev")
	for name, c := range map[string]struct{ app, account, want string }{
		"its own": {a.App.ID, "", a.AccountID}, "another": {a.App.ID, elsewhere, elsewhere}, "no app": {"", "", ""}, "unknown": {id.New("app"), "", ""},
	} {
		e := audit.Event{ID: id.New("evt"), At: now, Action: audit.SignIn, AppID: c.app, AccountID: c.account}
		w.Must(w.Stores.Audit.AddEvents(t.Context(), []audit.Event{e}))
		if got := authtest.Names(w, fmt.Sprintf("SELECT account_id FROM audit_events WHERE id = '%s'", e.ID)); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestMissingPartitionRejectsAllEvents(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := authtest.ServerTime(w)
	event := func(at time.Time) audit.Event { return audit.Event{ID: id.New("evt"), At: at, Action: audit.SignIn} }
	old, tooOld := now.AddDate(0, 0, -100), now.AddDate(0, 0, -401)
	for _, events := range [][]audit.Event{{event(old)}, {event(now), event(old)}} {
		if err := w.Stores.Audit.AddEvents(t.Context(), events); !errors.Is(err, auditlog.ErrNoPartition) {
			t.Errorf("%d events: %v", len(events), err)
		}
	}
	unknown := event(now)
	unknown.Action = "account.sell"
	for _, events := range [][]audit.Event{{unknown}, {event(now), unknown}} {
		if err := w.Stores.Audit.AddEvents(t.Context(), events); err == nil || errors.Is(err, auditlog.ErrNoPartition) {
			t.Errorf("an unknown action: %v", err)
		}
	}
	if n := authtest.Names(w, "SELECT id FROM audit_events"); len(n) != 0 {
		t.Errorf("%d events are stored", len(n))
	}
	for at, want := range map[time.Time]bool{old: true, tooOld: false, now.AddDate(0, 0, 36): false, {}: true} {
		if held, err := w.Stores.Audit.MakeAuditPartition(t.Context(), at); err != nil || held != want {
			t.Errorf("a partition of %v: %t, %v", at, held, err)
		}
	}
	w.Must(w.Stores.Audit.AddEvents(t.Context(), []audit.Event{event(old), event(now)}))
}

func TestAuditPartitionsAreKept400Days(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := authtest.ServerTime(w)
	const layout = "20060102"
	monday := now.Truncate(24 * time.Hour)
	for monday.Weekday() != time.Monday {
		monday = monday.AddDate(0, 0, -1)
	}
	list := "SELECT right(inhrelid::regclass::text, 8) FROM pg_inherits WHERE inhparent = 'audit_events'::regclass"
	for _, name := range authtest.Names(w, list) {
		_, err := w.Pool.Exec(t.Context(), "DROP TABLE audit_events_"+name)
		w.Must(err)
	}
	var want []string
	for week := range 5 {
		want = append(want, monday.AddDate(0, 0, 7*week).Format(layout))
	}
	w.Must(w.Stores.Audit.MakeNextAuditPartitions(t.Context()))
	if got := authtest.Names(w, list); !slices.Equal(got, want) {
		t.Errorf("created %v, want %v", got, want)
	}
	for _, weeks := range []int{-80, -70, -60, -57} { // 57 weeks are 399 days
		first := monday.AddDate(0, 0, 7*weeks)
		_, err := w.Pool.Exec(t.Context(), fmt.Sprintf("CREATE TABLE audit_events_%s PARTITION OF audit_events FOR VALUES FROM ('%s') TO ('%s')",
			first.Format(layout), first.Format(time.RFC3339), first.AddDate(0, 0, 7).Format(time.RFC3339)))
		w.Must(err)
	}
	w.Must(w.Stores.Audit.DropAuditPartitions(t.Context()))
	if got := authtest.Names(w, list); !slices.Equal(got, append([]string{monday.AddDate(0, 0, -57*7).Format(layout)}, want...)) {
		t.Errorf("partitions left: %v", got)
	}
	if only, err := w.Stores.Audit.IsAppendOnly(t.Context()); err != nil || only {
		t.Errorf("IsAppendOnly returned %t for the table owner, %v", only, err)
	}
}
