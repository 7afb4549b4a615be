package console_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// byteOrderMark is the first character of every CSV file.
const byteOrderMark = "\ufeff"

// auditEvents returns audit events in one account, by members, an operator and an app, and the
// names of their objects. Two of the events are refusals.
func auditEvents() ([]*authv1.AuditEvent, []*authv1.EventName) {
	at, person := timestamppb.New(now), authv1.ActorKind_ACTOR_KIND_PERSON
	return []*authv1.AuditEvent{
		{At: at, Action: "api_key.create", Actor: &authv1.AuditActor{Kind: person, Id: "usr_2"}, AppId: "app_1", ObjectId: "key_1", ClientAddress: "192.0.2.7", RequestId: "req_1"},
		{At: at, Action: "app.delete", Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_OPERATOR, Caller: "vitaectl"}, AppId: "app_2", ObjectId: "app_2", RequestId: "req_2"},
		{
			At: at, Action: "client.authenticate", Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, ErrorCode: "OAUTH_INVALID_CLIENT",
			Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_APP, Id: "app_1"}, AppId: "app_1", RequestId: "req_3",
		},
		{At: at, Action: "app.delete_secret", Actor: &authv1.AuditActor{Kind: person, Id: "usr_gone"}, AppId: "app_1", ObjectId: "sec_1", RequestId: "req_4"},
		{At: at, Action: "app.update", Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, RequestId: "req_5"},
	}, []*authv1.EventName{{Id: "usr_2", Name: "Omar"}, {Id: "app_1", Name: "<b>Web"}, {Id: "app_2", Name: "Old", Ended: true}, {Id: "key_1", Name: "Nightly"}}
}

func TestAuditLogNamesAndLinksObjects(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.events, back.eventNames = auditEvents()
	page := signIn(t, back, member(viewer, "dev_1")).page("/audit")
	wantAll(t, page,
		`<a href="/team"><bdi>Omar</bdi></a><code class="id" title="usr_2">usr_2</code>`,
		`<a href="/apps/app_1/keys"><bdi>Nightly</bdi></a><code class="id" title="key_1">key_1</code>`,
		`<a href="/apps/app_1"><bdi>&lt;b&gt;Web</bdi></a><code class="id" title="app_1">app_1</code>`,
		`API key created<code class="id">api_key.create</code>`, `<bdi>An operator of Vitae</bdi>`, `<bdi>Old (deleted)</bdi>`,
		`<code class="id" title="OAUTH_INVALID_CLIENT">`, `<a href="/apps/app_1"><bdi>Client secret</bdi></a><code class="id" title="sec_1">sec_1</code>`,
		`<td><bdi>usr_gone</bdi></td>`)
	wantNone(t, page, `href="/apps/app_2"`)
	if n := strings.Count(page, `<span class="status odd">refused</span>`); n != 2 {
		t.Errorf("%d refusals are shown, want 2", n)
	}
	if n := len(sent[*authv1.ListEventsRequest](back)); n != 1 {
		t.Errorf("a page calls auth %d times, want 1", n)
	}
}

func TestAuditFileContainsIDsAndNames(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.events, back.eventNames = auditEvents()
	res := signIn(t, back, member(viewer, "dev_1")).get("/audit.csv")
	want := byteOrderMark + `at,action,outcome,code,actor,object,app,address,request_id,actor_name,object_name,app_name
2026-03-01T12:00:00Z,api_key.create,done,,usr_2,key_1,app_1,192.0.2.7,req_1,Omar,Nightly,<b>Web
2026-03-01T12:00:00Z,app.delete,done,,operator,app_2,app_2,,req_2,operator,Old,Old
2026-03-01T12:00:00Z,client.authenticate,refused,OAUTH_INVALID_CLIENT,app_1,,app_1,,req_3,<b>Web,,<b>Web
2026-03-01T12:00:00Z,app.delete_secret,done,,usr_gone,sec_1,app_1,,req_4,usr_gone,sec_1,<b>Web
2026-03-01T12:00:00Z,app.update,refused,,unspecified,,,,req_5,unspecified,,
`
	if got := body(t, res); got != want || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("the file is %s", got)
	}
}

func TestAuditFiltersAreSentToAuth(t *testing.T) {
	t.Parallel()
	from, to := timestamppb.New(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)), timestamppb.New(time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC))
	for query, want := range map[string]*authv1.ListEventsRequest{
		"":                               {},
		"person=usr_2":                   {PersonId: "usr_2"},
		"action=api_key.create":          {Actions: []string{"api_key.create"}},
		"outcome=refused":                {Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED},
		"outcome=done&person=usr_9":      {Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED, PersonId: "usr_9"},
		"from=2026-02-01&to=2026-02-02":  {From: from, To: to},
		"app=app_9&action=member.remove": {AppId: "app_9", Actions: []string{"member.remove"}},
	} {
		back := newBackend()
		answer(back, func(r *authv1.ListEventsRequest) (*authv1.ListEventsResponse, error) {
			if r.GetPageToken() == "" {
				return &authv1.ListEventsResponse{NextPageToken: "more"}, nil
			}
			return &authv1.ListEventsResponse{}, nil
		})
		b := signIn(t, back, member(viewer, "dev_1"))
		page := b.page("/audit?" + query)
		b.page("/audit.csv?" + query)
		want.AccountId = "dev_1"
		asked := sent[*authv1.ListEventsRequest](back)
		if len(asked) != 3 { // one call for the page, and two for the pages of the file
			t.Fatalf("%q: auth was called %d times, want 3", query, len(asked))
		}
		for i, size := range []int32{50, 1000} {
			if want.PageSize = size; !proto.Equal(asked[i], want) {
				t.Errorf("%q lists %v, want %v", query, asked[i], want)
			}
		}
		for pair := range strings.SplitSeq(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			if query != "" && (!slices.Contains([]string{"from", "to"}, name) && !strings.Contains(page, `<option value="`+value+`" selected>`) || strings.Count(page, name+"="+value) < 2) {
				t.Errorf("%q: the form, the file or the next page lacks %s", query, pair)
			}
		}
	}
}

func TestInvalidAuditFilterIsShownAtItsField(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(viewer, "dev_1"))
	for query, field := range map[string]string{"outcome=perhaps": "outcome", "from=yesterday": "from", "to=2026-13-01": "to"} {
		res := b.get("/audit?" + query)
		if res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", query, res.StatusCode)
		}
		wantAll(t, body(t, res), `id="`+field+`-fault"`)
		if res := b.get("/audit.csv?" + query); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: the file: status %d", query, res.StatusCode)
		}
	}
	back.fail["ListEvents"] = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "actions[0]", Description: "is no action of the audit log"})
	wantAll(t, b.page("/audit?action=app.sell"), `id="action-fault">Is no action of the audit log.`, `<option value="app.sell" selected>`)
	leads(t, b.get("/audit?action=app.create&page=cut"), "/audit?action=app.create")
	leads(t, b.get("/audit?person=&app=app_1&from="), "/audit?app=app_1")
}
