package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestTheAuditLogIsListedInPagesByWhateverItConcerns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, other := w.confidential(), w.confidential()
	p := w.person("a@example.com")
	for range 7 {
		w.connect(p, c, everything...)
	}
	w.connect(p, other, everything...)
	list := func(req *authv1.ListEventsRequest) (events []*authv1.AuditEvent) {
		w.Helper()
		for {
			resp, err := w.audit.ListEvents(w.Context(), req)
			w.must(err)
			events = append(events, resp.GetEvents()...)
			if req.PageToken = resp.GetNextPageToken(); req.PageToken == "" {
				return events
			}
		}
	}
	all := list(&authv1.ListEventsRequest{})
	for i, e := range all[1:] {
		if e.GetAt().AsTime().After(all[i].GetAt().AsTime()) {
			t.Fatal("not newest first")
		}
	}
	matching := func(match func(*authv1.AuditEvent) bool) (ids []string) {
		for _, e := range all {
			if match(e) && e.GetAction() != "audit.read" { // every list adds one
				ids = append(ids, e.GetId())
			}
		}
		return ids
	}
	middle := all[len(all)/2].GetAt()
	list(&authv1.ListEventsRequest{PersonId: p.id})
	if len(list(&authv1.ListEventsRequest{PersonId: p.id, Actions: []string{"audit.read"}})) == 0 {
		t.Error("nobody can tell who has looked at what concerns the person")
	}
	for name, tc := range map[string]struct {
		req   *authv1.ListEventsRequest
		match func(*authv1.AuditEvent) bool
	}{
		"app":     {&authv1.ListEventsRequest{AppId: c.app.GetId()}, func(e *authv1.AuditEvent) bool { return e.GetAppId() == c.app.GetId() }},
		"account": {&authv1.ListEventsRequest{AccountId: c.app.GetAccountId()}, func(e *authv1.AuditEvent) bool { return e.GetAccountId() == c.app.GetAccountId() }},
		"person":  {&authv1.ListEventsRequest{PersonId: p.id}, func(e *authv1.AuditEvent) bool { return e.GetPersonId() == p.id }},
		"person and app": {&authv1.ListEventsRequest{PersonId: p.id, AppId: other.app.GetId()},
			func(e *authv1.AuditEvent) bool { return e.GetPersonId() == p.id && e.GetAppId() == other.app.GetId() }},
		"action": {&authv1.ListEventsRequest{Actions: []string{"consent.grant"}}, func(e *authv1.AuditEvent) bool { return e.GetAction() == "consent.grant" }},
		"actions of an account": {&authv1.ListEventsRequest{AccountId: c.app.GetAccountId(), Actions: []string{"consent.grant", "app.create"}},
			func(e *authv1.AuditEvent) bool {
				return e.GetAccountId() == c.app.GetAccountId() && (e.GetAction() == "consent.grant" || e.GetAction() == "app.create")
			}},
		"from": {&authv1.ListEventsRequest{From: middle, PersonId: p.id},
			func(e *authv1.AuditEvent) bool {
				return e.GetPersonId() == p.id && !e.GetAt().AsTime().Before(middle.AsTime())
			}},
		"to":      {&authv1.ListEventsRequest{To: middle}, func(e *authv1.AuditEvent) bool { return e.GetAt().AsTime().Before(middle.AsTime()) }},
		"nothing": {&authv1.ListEventsRequest{AccountId: "dev_unknown"}, func(*authv1.AuditEvent) bool { return false }},
	} {
		for _, size := range []int32{1, 3, 1000} {
			tc.req.PageSize = size
			var got []string
			for _, e := range list(tc.req) {
				if e.GetAction() != "audit.read" {
					got = append(got, e.GetId())
				}
			}
			if want := matching(tc.match); !slices.Equal(got, want) {
				t.Errorf("%s in pages of %d: %d events, want %d", name, size, len(got), len(want))
			}
		}
	}
}

func TestWhatCannotBeListedIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for field, req := range map[string]*authv1.ListEventsRequest{
		"page_token": {PageToken: "x"},
		"actions[0]": {Actions: []string{"account.sell"}},
		"page_size":  {PageSize: 1001},
	} {
		if _, err := w.audit.ListEvents(t.Context(), req); err == nil || !strings.HasPrefix(err.Error(), field) && !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestAnEventOfAnotherPartIsStoredOnceAndClean(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var now time.Time
	w.must(w.db.QueryRow(t.Context(), "SELECT now()").Scan(&now))
	at := now.AddDate(0, 0, -20) // older than the partitions that the migration has made
	e := &authv1.AuditEvent{
		Id: id.New("evt"), At: timestamppb.New(at), Action: "profile.read", Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED,
		Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_SERVICE, Caller: "internal"}, PersonId: id.New("usr"),
		ObjectId: "svc_sk_secret", RequestId: "correct horse battery", Details: map[string]string{"password": "x", "status": "active"},
	}
	old := &authv1.AuditEvent{
		Id: id.New("evt"), At: timestamppb.New(at.AddDate(0, 0, -400)), Action: "profile.read",
		Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED, Actor: &authv1.AuditActor{},
	}
	for range 2 {
		_, err := w.recording.RecordEvents(t.Context(), &authv1.RecordEventsRequest{Events: []*authv1.AuditEvent{e, old}})
		w.must(err)
	}
	resp, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{Actions: []string{"profile.read"}})
	w.must(err)
	if len(resp.GetEvents()) != 1 || resp.GetEvents()[0].GetId() != e.GetId() {
		t.Fatalf("%v", resp.GetEvents())
	}
	stored := resp.GetEvents()[0]
	if stored.GetObjectId() != "" || stored.GetRequestId() != "" || len(stored.GetDetails()) != 1 || stored.GetDetails()[audit.Status] != "active" ||
		stored.GetActor().GetCaller() != "internal" || !stored.GetAt().AsTime().Equal(at) {
		t.Errorf("%v", stored)
	}
	e.Action = "profile.sell"
	if _, err := w.recording.RecordEvents(t.Context(), &authv1.RecordEventsRequest{Events: []*authv1.AuditEvent{e}}); err == nil {
		t.Error("an action that there is not was taken")
	}
}
