package people_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/deletion"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/team"
)

// leaving returns a person who has an app and has requested the account's deletion.
func leaving(t *testing.T) (*authtest.World, string, deletion.Request) {
	t.Helper()
	w := authtest.New(t)
	p := w.Person()
	w.Tokens(p, w.Confidential(), "profile")
	r := deletion.Request{PersonID: p, At: w.Clock.Now(), DueAt: w.Clock.Now().Add(deletion.Wait)}
	_, entries, err := w.Stores.Deletions.RequestDeletion(t.Context(), r)
	w.Must(err)
	if len(entries) != 1 {
		t.Fatalf("%d apps are paused", len(entries))
	}
	return w, p, r
}

// endConnections ends all of a person's connections, as the job does.
func endConnections(t *testing.T, w *authtest.World, p string) {
	t.Helper()
	live, err := w.Stores.Deletions.LiveConnections(t.Context(), p)
	w.Must(err)
	for _, id := range live {
		_, err := w.Stores.Connections.EndConnection(t.Context(), p, id, w.Clock.Now())
		w.Must(err)
	}
}

func deletionOperations(w *authtest.World) []authtest.Operation {
	p, now := w.Person(), w.Clock.Now()
	w.Tokens(p, w.Confidential(), "profile")
	asked := deletion.Request{PersonID: p, At: now, DueAt: now.Add(deletion.Wait)}
	about := &audit.Event{Actor: audit.ByPerson(p), PersonID: p, Object: audit.Object{ID: p}}
	return []authtest.Operation{
		{"request a deletion", func(ctx context.Context) error {
			_, _, err := w.Stores.Deletions.RequestDeletion(ctx, asked)
			return err
		}, about},
		{"cancel a deletion", func(ctx context.Context) error {
			_, err := w.Stores.Deletions.CancelDeletion(ctx, p, now, nil)
			return err
		}, about},
		{"lease deletions", func(ctx context.Context) error {
			_, err := w.Stores.Deletions.LeaseDeletions(ctx, now, now, 1, 0)
			return err
		}, nil},
		{"close sessions", func(ctx context.Context) error { return w.Stores.Deletions.CloseSessions(ctx, p) }, nil},
		{"live connections", func(ctx context.Context) error { _, err := w.Stores.Deletions.LiveConnections(ctx, p); return err }, nil},
		{"finish a step", func(ctx context.Context) error {
			return w.Stores.Deletions.FinishStep(ctx, deletion.Due{PersonID: p}, now)
		}, nil},
		{"drop a deletion", func(ctx context.Context) error { return w.Stores.Deletions.DropDeletion(ctx, p) }, nil},
		{"measure outboxes", func(ctx context.Context) error { _, err := w.Stores.Outbox.Outboxes(ctx, now); return err }, nil},
	}
}

func TestDeletionCanBeCanceledUntilItBegins(t *testing.T) {
	t.Parallel()
	w, p, r := leaving(t)
	if due, entries, err := w.Stores.Deletions.RequestDeletion(t.Context(), deletion.Request{PersonID: p, At: r.At.Add(time.Hour), DueAt: r.DueAt.Add(time.Hour)}); err != nil || len(entries) > 0 || !due.Equal(r.DueAt) {
		t.Errorf("a second request: due %s, %d entries, %v", due, len(entries), err)
	}
	if due, err := w.Stores.Deletions.LeaseDeletions(t.Context(), r.DueAt.Add(-time.Second), r.DueAt, 10, 0); err != nil || len(due) > 0 {
		t.Errorf("leased within the week: %v, %v", due, err)
	}
	if entries, err := w.Stores.Deletions.CancelDeletion(t.Context(), p, r.DueAt, nil); err != nil || len(entries) != 1 {
		t.Errorf("canceled: %d entries, %v", len(entries), err)
	}

	_, _, err := w.Stores.Deletions.RequestDeletion(t.Context(), r)
	w.Must(err)
	if due, err := w.Stores.Deletions.LeaseDeletions(t.Context(), r.DueAt, r.DueAt.Add(time.Hour), 10, 0); err != nil || len(due) != 1 {
		t.Fatalf("leased after the week: %v, %v", due, err)
	}
	if due, err := w.Stores.Deletions.LeaseDeletions(t.Context(), r.DueAt, r.DueAt.Add(time.Hour), 10, 0); err != nil || len(due) > 0 {
		t.Errorf("two replicas lease the deletion: %v, %v", due, err)
	}
	if due, err := w.Stores.Deletions.LeaseDeletions(t.Context(), r.DueAt.Add(time.Hour), r.DueAt.Add(time.Hour), 10, 1, 2); err != nil || len(due) > 0 {
		t.Errorf("candidate's step is due before auth's: %v, %v", due, err)
	}
	if entries, err := w.Stores.Deletions.CancelDeletion(t.Context(), p, r.DueAt, nil); err != nil || len(entries) > 0 || len(authtest.Names(w, "SELECT person_id FROM person_deletions")) != 1 {
		t.Errorf("canceled after it began: %v, %v", entries, err)
	}
}

func TestCanceledDeletionResumesPausedApps(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, own := w.Person(), w.Confidential()
	w.Tokens(p, own, "profile")
	w.Tokens(p, w.Confidential(), "profile")
	earlier := w.Clock.Now().Add(-time.Hour)
	if _, err := w.Pool.Exec(t.Context(), "UPDATE connections SET paused_at = $1 WHERE app_id = $2", earlier, own.App.ID); err != nil {
		t.Fatal(err)
	}
	r := deletion.Request{PersonID: p, At: w.Clock.Now(), DueAt: w.Clock.Now().Add(deletion.Wait)}
	_, _, err := w.Stores.Deletions.RequestDeletion(t.Context(), r)
	w.Must(err)
	if live := authtest.Names(w, "SELECT app_id FROM connections WHERE scopes <> '{}'"); len(live) != 0 {
		t.Errorf("apps with access: %v", live)
	}
	_, err = w.Stores.Deletions.CancelDeletion(t.Context(), p, w.Clock.Now(), nil)
	w.Must(err)
	if paused := authtest.Names(w, "SELECT app_id FROM connections WHERE scopes = '{}'"); len(paused) != 1 || paused[0] != own.App.ID {
		t.Errorf("paused apps: %v, want only the app that the person had paused", paused)
	}
}

func TestLastOwnerCannotLeave(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	ours := authtest.NewAccount(w, "Team").ID
	first, second := w.Person(), w.Person()
	for _, p := range []string{first, second} {
		_, err := w.Stores.Teams.AddMember(t.Context(), team.Member{AccountID: ours, PersonID: p, Role: team.Owner, CreatedAt: w.Clock.Now()})
		w.Must(err)
	}
	leave := func(p string) error {
		_, _, err := w.Stores.Deletions.RequestDeletion(t.Context(), deletion.Request{PersonID: p, At: w.Clock.Now(), DueAt: w.Clock.Now().Add(deletion.Wait)})
		return err
	}
	w.Must(leave(first))
	if err := leave(second); !errs.HasCode(err, "ONLY_OWNER") {
		t.Errorf("the remaining owner left too: %v", err)
	}
	for p, want := range map[string]int{first: 2, second: 1} {
		_, err := w.Stores.Teams.ChangeMember(t.Context(), ours, p, func(present team.Role, owners int) (team.Role, error) {
			if owners != want {
				t.Errorf("%d owners, want %d", owners, want)
			}
			return present, nil
		})
		w.Must(err)
	}
	_, err := w.Stores.Deletions.CancelDeletion(t.Context(), first, w.Clock.Now(), nil)
	w.Must(err)
	w.Must(leave(second))
}

func TestConnectingDelaysErasure(t *testing.T) {
	t.Parallel()
	w, p, r := leaving(t)
	_, err := w.Stores.Deletions.LeaseDeletions(t.Context(), r.DueAt, r.DueAt, 1, 0)
	w.Must(err)
	w.Must(w.Stores.Deletions.CloseSessions(t.Context(), p))
	if err := w.Stores.Deletions.ErasePerson(t.Context(), p); err == nil || len(authtest.Names(w, "SELECT id FROM people WHERE id = '"+p+"'")) != 1 {
		t.Errorf("erased although a connection was live: %v", err)
	}
	endConnections(t, w, p)
	w.Must(w.Stores.Deletions.ErasePerson(t.Context(), p))
	if left := authtest.Names(w, "SELECT id FROM token_families"); len(left) != 0 {
		t.Errorf("token families left: %v", left)
	}
}

// Events must remain in the log. Only the deletion of a person may remove that person from events.
func TestErasedPersonsEventsStay(t *testing.T) {
	t.Parallel()
	w, p, r := leaving(t)
	other, app := w.Person(), w.Confidential().App.ID
	event := func(id string, e audit.Event) audit.Event {
		e.ID, e.Action, e.Outcome, e.Caller, e.ClientAddress = id, audit.ConnectionUpdate, audit.Done, "gateway", "192.0.2.1"
		return e
	}
	w.Must(w.Stores.Audit.AddEvents(t.Context(), []audit.Event{
		event("evt_own", audit.Event{Actor: audit.ByPerson(p), PersonID: p, Details: map[string]string{audit.Sharing: "on"}}),
		event("evt_named", audit.Event{Actor: audit.ByPerson(other), PersonID: other}),
		event("evt_app", audit.Event{Actor: audit.ByApp(app), PersonID: p}),
		event("evt_other", audit.Event{Actor: audit.ByPerson(other), PersonID: other}),
	}))
	// No action currently writes a person's email address to the details, so the test inserts such an event.
	if _, err := w.Pool.Exec(t.Context(), `INSERT INTO audit_events SELECT 'evt_told', at, action, outcome, error_code, actor_kind, actor_id, caller,
		account_id, app_id, person_id, object_type, object_id, client_address, request_id, jsonb_build_object('email', upper($1)) FROM audit_events WHERE id = 'evt_other'`, p+"@example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Pool.Exec(t.Context(), "SELECT make_audit_events_nobodys($1)", p); err != nil {
		t.Fatal(err)
	}
	if found := authtest.Names(w, "SELECT id FROM audit_events WHERE person_id = '"+p+"' AND id IN ('evt_own', 'evt_app')"); len(found) != 2 {
		t.Errorf("the person was removed from events before the deletion began: %v", found)
	}
	_, err := w.Stores.Deletions.LeaseDeletions(t.Context(), r.DueAt, r.DueAt, 1, 0)
	w.Must(err)
	w.Must(w.Stores.Deletions.CloseSessions(t.Context(), p))
	endConnections(t, w, p)
	w.Must(w.Stores.Deletions.ErasePerson(t.Context(), p))
	w.Must(w.Stores.Deletions.EraseEvents(t.Context(), p))
	for id, want := range map[string]string{
		"evt_own": "person//// {\"cv_sharing\": \"on\"}", "evt_named": "person/" + other + "/" + other + "//192.0.2.1 {}",
		"evt_app": "app/" + app + "///192.0.2.1 {}", "evt_other": "person/" + other + "/" + other + "//192.0.2.1 {}",
		"evt_told": "person/" + other + "/" + other + "//192.0.2.1 {}",
	} {
		got := authtest.Names(w, "SELECT concat_ws('/', actor_kind, actor_id, person_id, object_id, client_address) || ' ' || details FROM audit_events WHERE id = '"+id+"'")
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	for _, change := range []string{"action = 'x'", "outcome = 'x'", "at = at + interval '1 second'", "account_id = 'x'", "actor_id = 'x'", "person_id = 'x'", "actor_kind = 'service'", "details = '{\"a\": \"b\"}'", "request_id = 'x'"} {
		if _, err := w.Pool.Exec(t.Context(), "UPDATE audit_events SET "+change+" WHERE id = 'evt_app'"); err == nil {
			t.Errorf("the log accepts the change %s", change)
		}
	}
}

func TestErasedPersonLeavesNoRow(t *testing.T) {
	t.Parallel()
	w, p, r := leaving(t)
	now := w.Clock.Now()
	w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: credential.Hash("s"), PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	email := p + "@example.com"
	for _, sql := range []string{
		"INSERT INTO mail_budgets SELECT sha256(convert_to(kind || ' ' || $1, 'UTF8')), now() FROM unnest(ARRAY['sign-up', 'reset', 'reset again', 'reset in a known browser']) kind",
		"INSERT INTO sign_in_ceilings VALUES (sha256(convert_to($1, 'UTF8')), now(), now())",
		"INSERT INTO sign_in_turns VALUES (sha256(convert_to($1, 'UTF8')), 'x', now(), true, 1)",
		"INSERT INTO password_resets VALUES ('x', $1, '', now(), now())",
		"INSERT INTO connection_reads SELECT id, current_date, 'cv', 1, now() FROM connections WHERE $1 <> ''",
		"INSERT INTO connection_read_countries SELECT connection_id, day, kind, 'SA', 1 FROM connection_reads WHERE $1 <> ''",
		"UPDATE apps SET created_by = split_part($1, '@', 1)",
		"UPDATE accounts SET created_by = split_part($1, '@', 1), email = upper($1)",
	} {
		if _, err := w.Pool.Exec(t.Context(), sql, email); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	told := notice(w, mail.ExportReady)
	w.Must(w.Stores.Exports.AddNotice(t.Context(), p, told))
	w.Must(w.Stores.Exports.AddNotice(t.Context(), p, told)) // the second call must not add another email
	if n := authtest.Names(w, "SELECT id FROM mail_outbox"); len(n) != 1 {
		t.Errorf("the outbox contains %v", n)
	}

	_, err := w.Stores.Deletions.LeaseDeletions(t.Context(), r.DueAt, r.DueAt, 1, 0)
	w.Must(err)
	w.Must(w.Stores.Deletions.CloseSessions(t.Context(), p))
	endConnections(t, w, p)
	for range 2 { // the second call finds nothing to delete
		w.Must(w.Stores.Deletions.ErasePerson(t.Context(), p))
	}
	for _, table := range []string{
		"people", "sessions", "connections", "token_families", "access_tokens", "authorization_codes", "cv_links", "connection_reads", "connection_read_countries",
		"mail_outbox", "mail_budgets", "sign_in_ceilings", "sign_in_turns", "password_resets",
	} {
		if left := authtest.Names(w, "SELECT x::text FROM "+table+" x"); len(left) != 0 {
			t.Errorf("%s still has %v", table, left)
		}
	}
	if left := authtest.Names(w, "SELECT created_by || email FROM accounts UNION ALL SELECT created_by FROM apps"); left[0] != "" || left[len(left)-1] != "" {
		t.Errorf("developer accounts still name their creator: %v", left)
	}
	if _, err := w.Stores.People.Person(t.Context(), p); !errs.HasCode(err, "PERSON_NOT_FOUND") {
		t.Errorf("the person: %v", err)
	}
}
