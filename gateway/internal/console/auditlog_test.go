package console

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// happened are events of an account: one of a member, one of an operator, one refused.
func happened() ([]*authv1.AuditEvent, []*authv1.EventName) {
	return []*authv1.AuditEvent{
		{
			At: timestamppb.New(now), Action: "api_key.create", Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_PERSON, Id: "usr_2"},
			AccountId: "dev_1", AppId: "app_1", ObjectType: "api_key", ObjectId: "key_1", ClientAddress: "192.0.2.7", RequestId: "req_1",
		},
		{
			At: timestamppb.New(now), Action: "app.delete", Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_OPERATOR, Caller: "vitaectl"},
			AccountId: "dev_1", AppId: "app_2", ObjectType: "app", ObjectId: "app_2", RequestId: "req_2",
		},
		{
			At: timestamppb.New(now), Action: "client.authenticate", Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, ErrorCode: "OAUTH_INVALID_CLIENT", Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_APP, Id: "app_1"},
			AccountId: "dev_1", AppId: "app_1", RequestId: "req_3",
		},
		{
			At: timestamppb.New(now), Action: "app.delete_secret", Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_PERSON, Id: "usr_gone"},
			AccountId: "dev_1", AppId: "app_1", ObjectType: "client_secret", ObjectId: "sec_1", RequestId: "req_4",
		},
	}, []*authv1.EventName{{Id: "usr_2", Name: "Omar"}, {Id: "app_1", Name: "<b>Web"}, {Id: "app_2", Name: "Old", Ended: true}, {Id: "key_1", Name: "Nightly"}, {Id: "dev_1", Name: "Dev"}}
}

func TestTheAuditLogNamesWhomAndWhatAndLeadsThere(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.events, back.eventNames = happened()
	page := body(t, signedIn(t, back, member(viewer, "dev_1")).get("/audit"))
	for _, want := range []string{
		`<a href="/team"><bdi>Omar</bdi></a><code class="id" title="usr_2">usr_2</code>`,
		`<a href="/apps/app_1/keys"><bdi>Nightly</bdi></a><code class="id" title="key_1">key_1</code>`,
		`<a href="/apps/app_1"><bdi>&lt;b&gt;Web</bdi></a><code class="id" title="app_1">app_1</code>`,
		`API key created<code class="id">api_key.create</code>`, `<bdi>An operator of Vitae</bdi>`, `<bdi>Old (deleted)</bdi>`,
		`<code class="id" title="OAUTH_INVALID_CLIENT">`, `<a href="/apps/app_1"><bdi>Client secret</bdi></a><code class="id" title="sec_1">sec_1</code>`,
		`<td><bdi>usr_gone</bdi></td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if strings.Contains(page, `href="/apps/app_2"`) || len(back.audited) != 1 {
		t.Errorf("a deleted app has a link, or auth was asked %d times for one page", len(back.audited))
	}
}

func TestTheFileOfTheAuditLogKeepsItsColumnsAndAddsNames(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.events, back.eventNames = happened()
	got := body(t, signedIn(t, back, member(viewer, "dev_1")).get("/audit.csv"))
	want := byteOrderMark + `at,action,outcome,code,actor,object,app,address,request_id,actor_name,object_name,app_name
2026-03-01T12:00:00Z,api_key.create,done,,usr_2,key_1,app_1,192.0.2.7,req_1,Omar,Nightly,<b>Web
2026-03-01T12:00:00Z,app.delete,done,,operator,app_2,app_2,,req_2,operator,Old,Old
2026-03-01T12:00:00Z,client.authenticate,refused,OAUTH_INVALID_CLIENT,app_1,,app_1,,req_3,<b>Web,,<b>Web
2026-03-01T12:00:00Z,app.delete_secret,done,,usr_gone,sec_1,app_1,,req_4,usr_gone,sec_1,<b>Web
`
	if got != want {
		t.Errorf("%s", got)
	}
}

// The outcome is what the filter goes by, so that the rows of "Refused" never say "done".
func TestARefusalWithoutACodeIsARefusal(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.events = []*authv1.AuditEvent{{At: timestamppb.New(now), Action: "app.update", Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, RequestId: "req_1"}}
	b := signedIn(t, back, member(viewer, "dev_1"))
	wantAll(t, body(t, b.get("/audit")), `<span class="status odd">refused</span>`)
	wantAll(t, body(t, b.get("/audit.csv")), "app.update,refused,,")
}

func TestEveryFilterOfTheAuditLogStandsInItsAddressAndReachesAuth(t *testing.T) {
	t.Parallel()
	from, to := timestamppb.New(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)), timestamppb.New(time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC))
	for query, want := range map[string]*authv1.ListEventsRequest{
		"":                               {},
		"person=usr_2":                   {PersonId: "usr_2"},
		"app=app_1":                      {AppId: "app_1"},
		"action=api_key.create":          {Actions: []string{"api_key.create"}},
		"outcome=refused":                {Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED},
		"outcome=done&person=usr_9":      {Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED, PersonId: "usr_9"},
		"from=2026-02-01&to=2026-02-02":  {From: from, To: to},
		"from=2026-02-01T00%3A00%3A00":   {From: from},
		"app=app_9&action=member.remove": {AppId: "app_9", Actions: []string{"member.remove"}},
	} {
		back := newBackend()
		back.events, back.eventNames = happened()
		back.moreEvents = true
		b := signedIn(t, back, member(viewer, "dev_1"))
		page := body(t, b.get("/audit?"+query))
		_ = body(t, b.get("/audit.csv?"+query))
		want.AccountId = "dev_1"
		if len(back.audited) != 3 { // the page, and two pages of the file
			t.Fatalf("%q: auth was asked %d times\n%s", query, len(back.audited), page)
		}
		for i, size := range []int32{eventsPerPage, filePage} {
			if want.PageSize = size; !proto.Equal(back.audited[i], want) {
				t.Errorf("%q asks for %v, want %v", query, back.audited[i], want)
			}
		}
		for pair := range strings.SplitSeq(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			if query != "" && (!slices.Contains([]string{"from", "to"}, name) && !strings.Contains(page, `<option value="`+value+`" selected>`) || !strings.Contains(page, name+"="+value)) {
				t.Errorf("%q: the form, the file or the next page has lost %s", query, pair)
			}
		}
		if folded := !strings.Contains(page, `<details class="card folds" open>`); folded != (query == "") {
			t.Errorf("%q: the filter is folded: %t", query, folded)
		}
	}
}

func TestAFilterOfTheAuditLogThatIsNoneIsToldAtItsField(t *testing.T) {
	t.Parallel()
	for query, field := range map[string]string{"outcome=perhaps": "outcome", "from=yesterday": "from", "to=2026-13-01": "to"} {
		b := signedIn(t, newBackend(), member(viewer, "dev_1"))
		res := b.get("/audit?" + query)
		if page := body(t, res); res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(page, `id="`+field+`-fault"`) || strings.Contains(page, "Nothing") {
			t.Errorf("%s: %d\n%s", query, res.StatusCode, page)
		}
		if res := b.get("/audit.csv?" + query); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: the file is answered %d", query, res.StatusCode)
		}
	}
	back := newBackend()
	back.fail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "actions[0]", Description: "is no action of the audit log"})
	b := signedIn(t, back, member(viewer, "dev_1"))
	if page := body(t, b.get("/audit?action=app.sell")); !strings.Contains(page, `id="action-fault"`) || !strings.Contains(page, `<option value="app.sell" selected>`) {
		t.Errorf("%s", page)
	}
	if res := b.get("/audit?action=app.create&page=cut"); res.Header.Get("Location") != "/audit?action=app.create" {
		t.Errorf("a page that is none leads to %q", res.Header.Get("Location"))
	}
	if res := b.get("/audit?person=&app=app_1&from="); res.Header.Get("Location") != "/audit?app=app_1" {
		t.Errorf("a form with empty fields leads to %q", res.Header.Get("Location"))
	}
}

func TestEveryActionThatMembersSeeHasANameAndNoOther(t *testing.T) {
	t.Parallel()
	seen := map[audit.Action]bool{}
	texts := map[string]bool{}
	for _, group := range auditActions {
		for _, a := range group.actions {
			if seen[a.action] || texts[a.text] || !a.action.ForMembers() || !a.action.Known() {
				t.Errorf("%s (%q) is named twice, or is no action that members see", a.action, a.text)
			}
			seen[a.action], texts[a.text] = true, true
		}
	}
	for _, action := range audit.Actions {
		if action.ForMembers() && !seen[action] {
			t.Errorf("%s has no name", action)
		}
	}
}
