package cmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/cli/internal/conntest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func answerOfAudit(conntest.Call) (proto.Message, error) {
	return &authv1.ListEventsResponse{Events: []*authv1.AuditEvent{
		{
			Id: "evt_2", At: noon, Action: "api_key.create", Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED,
			Actor:     &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_OPERATOR, Caller: "vitaectl/alice"},
			AccountId: "dev_1", AppId: "app_1", ObjectType: "api_key", ObjectId: "key_1", ClientAddress: "127.0.0.1", RequestId: "req_2",
			Details: map[string]string{"scopes": "jobs:read jobs:write"},
		},
		{
			Id: "evt_1", At: noon, Action: "session.sign_in", Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, ErrorCode: "SIGN_IN_FAILED",
			Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_ANONYMOUS, Caller: "gateway"}, PersonId: "usr_1", ClientAddress: "192.0.2.1", RequestId: "req_1",
		},
	}, Names: []*authv1.EventName{
		{Id: "dev_1", Name: "Dev"}, {Id: "app_1", Name: "Noor"}, {Id: "key_1", Name: "Nightly", Ended: true}, {Id: "usr_1", Name: "Layla"},
	}}, nil
}

func TestAuditOutput(t *testing.T) {
	for _, format := range []string{"text", "wide", "json"} {
		status, stdout, stderr := vitaectl(&conntest.Conn{Answer: answerOfAudit}, "", "audit", "-o", format)
		if status != exitOK || stderr != "" {
			t.Fatalf("status %d, stderr %q", status, stderr)
		}
		golden(t, "audit."+format, stdout)
	}
}

func TestAuditFitsIn120Columns(t *testing.T) {
	long := strings.Repeat("شركة ", 30)
	events := []*authv1.AuditEvent{{
		At: noon, Action: "profile.download_export_of_all", ErrorCode: strings.Repeat("E", 60), AccountId: "dev_1", ObjectId: "key_1",
		Actor: &authv1.AuditActor{Kind: authv1.ActorKind_ACTOR_KIND_PERSON, Id: "usr_1"},
	}}
	names := eventNames{}
	for _, id := range []string{"dev_1", "key_1", "usr_1"} {
		names[id] = &authv1.EventName{Id: id, Name: long}
	}
	for _, line := range shortAuditTable(events, names) {
		if n := utf8.RuneCountInString(line); n > 120 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestEmptyList(t *testing.T) {
	conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) { return nil, nil }}
	for _, line := range []string{"audit", "account find nobody", "requests dev_1", "key list --app app_1"} {
		if status, stdout, stderr := vitaectl(conn, "", strings.Fields(line)...); status != exitOK || stdout != "Nothing found.\n" {
			t.Errorf("%s: %d, %q %s", line, status, stdout, stderr)
		}
	}
}

func TestAuditFilters(t *testing.T) {
	day := timestamppb.New(time.Date(2030, 1, 30, 0, 0, 0, 0, time.UTC))
	for line, want := range map[string]*authv1.ListEventsRequest{
		"audit":                                  {PageSize: 100},
		"audit --limit 0":                        {PageSize: 1000},
		"audit --account dev_1 --app app_1":      {AccountId: "dev_1", AppId: "app_1", PageSize: 100},
		"audit dev_1":                            {AccountId: "dev_1", PageSize: 100},
		"audit --to 2030-01-29":                  {To: day, PageSize: 100},
		"audit --person usr_1 --limit 5000":      {PersonId: "usr_1", PageSize: 1000},
		"audit --action api_key.create,app.read": {Actions: []string{"api_key.create", "app.read"}, PageSize: 100},
		"audit --outcome refused":                {Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED, PageSize: 100},
		"audit --from 2030-01-30 --to 2030-01-31T16:00:00+04:00": {From: day, To: noon, PageSize: 100},
	} {
		conn := &conntest.Conn{Answer: answerOfAudit}
		if status, _, stderr := vitaectl(conn, "", strings.Fields(line)...); status != exitOK {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		} else if got := conn.Calls[0].Request; !proto.Equal(got, want) {
			t.Errorf("%s sent %v, want %v", line, got, want)
		}
	}
	for _, line := range []string{
		"audit dev_1 dev_2", "audit dev_1 --account dev_1", "audit --limit -1", "audit --action api_key.sell", "audit --from yesterday", "audit --to 2030-13-01", "audit --account", "audit --outcome failed",
	} {
		conn := &conntest.Conn{Answer: answerOfAudit}
		if status, _, stderr := vitaectl(conn, "", strings.Fields(line)...); status != exitUsage || stderr == "" || len(conn.Calls) > 0 {
			t.Errorf("%s: status %d, %q, %d calls", line, status, stderr, len(conn.Calls))
		}
	}
}

func TestAuditReadsPagesUpToLimit(t *testing.T) {
	for limit, pages := range map[string][]int32{"1500": {1000, 500}, "1000": {1000}, "0": {1000, 1000, 1000}, "100000": {1000, 1000, 1000}} {
		var sent []int32
		conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
			req := call.Request.(*authv1.ListEventsRequest)
			if want := []string{"", "page 1", "page 2"}[len(sent)]; req.GetPageToken() != want {
				t.Errorf("asked for %q, want %q", req.GetPageToken(), want)
			}
			sent = append(sent, req.GetPageSize())
			resp := &authv1.ListEventsResponse{}
			for range req.GetPageSize() {
				resp.Events = append(resp.Events, &authv1.AuditEvent{At: noon, Id: "evt_1"})
			}
			if len(sent) < 3 {
				resp.NextPageToken = fmt.Sprint("page ", len(sent))
			}
			return resp, nil
		}}
		status, stdout, stderr := vitaectl(conn, "", "audit", "--limit", limit)
		total := int32(0)
		for _, n := range pages {
			total += n
		}
		if status != exitOK || !slices.Equal(sent, pages) || int32(strings.Count(stdout, "\n")) != total+1 { // with headings
			t.Errorf("--limit %s: status %d, %s, pages %v, %d lines", limit, status, stderr, sent, strings.Count(stdout, "\n"))
		}
	}
}
