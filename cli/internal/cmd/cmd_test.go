package cmd

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

var update = flag.Bool("update", false, "update the golden files")

// now is the time at which the commands run. noon is one hour later.
var now = time.Date(2030, 1, 31, 11, 0, 0, 0, time.UTC)

var noon = timestamppb.New(time.Date(2030, 1, 31, 12, 0, 0, 0, time.UTC))

func answer(call conntest.Call) (proto.Message, error) {
	account := &authv1.Account{
		Id: "dev_1", Name: "Dev", Email: "dev@vitae.example", CreatedAt: noon,
		Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 5, PerDay: 10},
	}
	key := &authv1.ApiKey{
		Id: "key_1", AppId: "app_1", Name: "Key", Scopes: []string{"jobs:read", "jobs:write"}, ExpiresAt: noon, CreatedAt: noon,
		Hint: "aB3d", CreatedBy: "vitaectl", LastUsedAt: timestamppb.New(now),
	}
	expired := &authv1.ApiKey{Id: "key_0", AppId: "app_1", Name: "Old key", Scopes: []string{"jobs:read"}, ExpiresAt: timestamppb.New(now), CreatedAt: timestamppb.New(now.Add(-time.Hour))}
	endless := &authv1.ApiKey{Id: "key_2", AppId: "app_1", Name: "Endless", Scopes: []string{"jobs:read"}, CreatedAt: timestamppb.New(now)}
	switch req := call.Request.(type) {
	case *authv1.SuspendAccountRequest:
		account.SuspendedAt, account.SuspensionReason = noon, req.GetReason()
		return &authv1.SuspendAccountResponse{Account: account}, nil
	case *authv1.ResumeAccountRequest:
		return &authv1.ResumeAccountResponse{Account: account}, nil
	case *authv1.SetAccountPlanRequest:
		return &authv1.SetAccountPlanResponse{Account: account}, nil
	case *authv1.RotateClientSecretRequest:
		return &authv1.RotateClientSecretResponse{App: &authv1.App{Id: "app_1", ClientId: "svc_ci_1"}, ClientSecret: "svc_cs_1", Secrets: secrets}, nil
	case *authv1.ListClientSecretsRequest:
		return &authv1.ListClientSecretsResponse{Secrets: secrets}, nil
	case *authv1.CreateApiKeyRequest:
		return &authv1.CreateApiKeyResponse{ApiKey: key, Secret: "svc_sk_1"}, nil
	case *authv1.ListApiKeysRequest:
		return &authv1.ListApiKeysResponse{ApiKeys: []*authv1.ApiKey{endless, key, expired}}, nil
	case *authv1.CreatePersonRequest:
		return &authv1.CreatePersonResponse{Person: &authv1.Person{Id: "usr_1"}}, nil
	case *candidatev1.CreateCvRequest:
		return &candidatev1.CreateCvResponse{Cv: &candidatev1.Cv{Id: "cv_1"}}, nil
	case *authv1.CreateAccountRequest:
		return &authv1.CreateAccountResponse{Account: account}, nil
	case *authv1.CreateAppRequest:
		return &authv1.CreateAppResponse{App: &authv1.App{Id: "app_1", ClientId: "svc_ci_1"}, ClientSecret: "svc_cs_1"}, nil
	}
	return appResponses(call)
}

func answerOfEmployers(call conntest.Call) (proto.Message, error) {
	company := &partnercatalogv1.Company{Id: "com_1", Name: "Noor", Slug: "noor", Published: true, CreatedAt: noon, UpdatedAt: noon}
	moved := func(to candidatev1.ApplicationStatus) *candidatev1.Application {
		return &candidatev1.Application{
			ApplicationId: "apl_1", JobId: "job_1", CompanyId: "com_1", Status: to, AppliedAt: noon, UpdatedAt: noon,
			Candidate: &candidatev1.Candidate{UserId: "usr_1", Name: "Layla"},
			StatusHistory: []*candidatev1.StatusChange{
				{Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, At: noon}, {Status: to, At: noon},
			},
		}
	}
	switch req := call.Request.(type) {
	case *partnercatalogv1.CreateCompanyRequest:
		return &partnercatalogv1.CreateCompanyResponse{Company: company}, nil
	case *partnercatalogv1.SetCompanyPageRequest:
		return &partnercatalogv1.SetCompanyPageResponse{Page: &partnercatalogv1.CompanyPage{Company: company, AppId: "app_1"}}, nil
	case *partnercatalogv1.CreateJobRequest:
		return &partnercatalogv1.CreateJobResponse{Job: &partnercatalogv1.Job{Id: "job_1"}}, nil
	case *candidatev1.ApplyRequest:
		return &candidatev1.ApplyResponse{Application: moved(candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED)}, nil
	case *candidatev1.AdvanceApplicationRequest:
		return &candidatev1.AdvanceApplicationResponse{Application: moved(req.GetStatus())}, nil
	case *candidatev1.RejectApplicationRequest:
		return &candidatev1.RejectApplicationResponse{Application: moved(candidatev1.ApplicationStatus_APPLICATION_STATUS_REJECTED)}, nil
	case *candidatev1.WithdrawApplicationRequest:
		return &candidatev1.WithdrawApplicationResponse{Application: moved(candidatev1.ApplicationStatus_APPLICATION_STATUS_WITHDRAWN)}, nil
	}
	return nil, nil
}

// vitaectl runs a command line that uses conn to reach all services.
func vitaectl(conn *conntest.Conn, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(context.Background(), args, Streams{In: strings.NewReader(stdin), Out: &out, Err: &err}, clock.NewFake(now),
		func() (*stack, error) { return newStack(conn, conn, conn, func() {}), nil })
	return status, out.String(), err.String()
}

const goodFile = `{
  "people": [{"ref": "p", "email": "p@vitae.example", "password": "demo-password", "name": "P", "cvs": [{"ref": "c", "title": "T", "document": {}}]}],
  "developers": [{"ref": "d", "name": "D", "email": "d@vitae.example", "plan": "standard",
    "apps": [{"ref": "a", "name": "A", "clientType": "confidential", "apiKeys": [{"ref": "k", "name": "K", "scopes": ["jobs:read"]}]}]}],
  "companies": [{"ref": "co", "app": "a", "name": "Noor", "industry": "I", "employeeCount": "1-10", "location": "L", "description": "D", "published": true}],
  "jobs": [{"ref": "j", "company": "co", "saveAs": "live", "closed": true, "distribution": "hidden",
    "basics": {"title": "T", "workMode": "remote", "employment": "full_time", "seniority": "mid"},
    "content": {"summary": "S", "responsibilities": ["R"], "requirements": ["Q"]}}],
  "applications": [{"ref": "ap", "job": "j", "person": "p", "cv": "c", "stages": ["reviewed"]}]
}`

func TestCommandOutput(t *testing.T) {
	for name, line := range map[string]string{
		"account-suspend":   "account suspend dev_1 --reason Spam.",
		"account-resume":    "account resume dev_1",
		"account-plan":      "account plan dev_1 custom --per-minute 5 --per-day 10",
		"app-rotate-secret": "app rotate-secret app_1 --overlap 24h --end-older",
		"app-secrets":       "app secrets app_1",
		"app-delete-secret": "app delete-secret sec_1",
		"key-create":        "key create --app app_1 --scopes jobs:read,jobs:write --expires-at 2030-01-31T12:00:00Z",
		"key-delete":        "key delete key_1",
		"key-list":          "key list --app app_1",
		"app-list":          "app list --account dev_1",
		"app-create":        "app create --account dev_1 --name Noor",
		"app-update":        "app update app_1 --name Noor",
		"app-delete":        "app delete app_1 --yes",
		"app-expire-secret": "app expire-secret sec_1 --at 2030-01-31T12:00:00Z",

		"plan-requests-list":   "plan-requests list",
		"plan-requests-grant":  "plan-requests grant plr_1",
		"plan-requests-refuse": "plan-requests refuse plr_1 --note no",

		"person-disconnect": "person disconnect --person usr_1 --connection con_1",
		"import":            "import -",

		"company-set":          "company set com_1 --published=true",
		"application-advance":  "application advance apl_1 interview",
		"application-rejected": "application advance apl_1 rejected",

		"usage":           "usage dev_1",
		"usage-by-app":    "usage dev_1 --by app",
		"usage-by-status": "usage dev_1 --by status",
		"usage-minutes":   "usage minutes dev_1",
		"usage-routes":    "usage routes dev_1",
		"usage-refusals":  "usage refusals dev_1",
		"requests":        "requests dev_1",
	} {
		for _, format := range []string{"text", "json"} {
			t.Run(name+" as "+format, func(t *testing.T) {
				status, stdout, stderr := vitaectl(&conntest.Conn{Answer: answer}, goodFile, strings.Fields(line+" -o "+format)...)
				if status != exitOK || stderr != "" {
					t.Fatalf("status %d, stderr %q", status, stderr)
				}
				golden(t, name+"."+format, stdout)
			})
		}
	}
}

// golden compares got with testdata/name.golden. `go test -update` rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}

func TestFlagsAreSentInRequests(t *testing.T) {
	for line, want := range map[string]proto.Message{
		"account plan dev_1 elevated": &authv1.SetAccountPlanRequest{
			Id: "dev_1", Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED}},
		"account plan dev_1 custom --per-minute 5 --per-day 10": &authv1.SetAccountPlanRequest{
			Id: "dev_1", Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 5, PerDay: 10}},
		"key create --app app_1 --scopes a,b --expires-at 2030-01-31T16:00:00+04:00 --name ats": &authv1.CreateApiKeyRequest{
			AppId: "app_1", Name: "ats", Scopes: []string{"a", "b"}, ExpiresAt: noon},
		"usage dev_1": &authv1.ListUsageRequest{AccountId: "dev_1", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_KEY},
		"usage dev_1 --by app --from 2030-01-01 --to 2030-01-31": &authv1.ListUsageRequest{
			AccountId: "dev_1", FromDay: "2030-01-01", ToDay: "2030-01-31", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP},
		"usage dev_1 --by status --key token": &authv1.ListUsageRequest{
			AccountId: "dev_1", ApiKeyId: "token", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_STATUS},
		"usage minutes dev_1":                         &authv1.ListUsageByMinuteRequest{AccountId: "dev_1", Minutes: 60},
		"usage minutes dev_1 --minutes 5 --app app_1": &authv1.ListUsageByMinuteRequest{AccountId: "dev_1", Minutes: 5, AppId: "app_1"},
		"usage routes dev_1 --from 2030-01-01":        &authv1.ListRouteStatsRequest{AccountId: "dev_1", FromDay: "2030-01-01"},
		"usage refusals dev_1 --to 2030-01-31":        &authv1.ListRefusalsRequest{AccountId: "dev_1", ToDay: "2030-01-31"},
		"usage --account dev_1":                       &authv1.ListUsageRequest{AccountId: "dev_1", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_KEY},
		"usage minutes --account dev_1":               &authv1.ListUsageByMinuteRequest{AccountId: "dev_1", Minutes: 60},
		"app list dev_1 --deleted":                    &authv1.ListAppsRequest{AccountId: "dev_1", IncludeDeleted: true},
		"key list app_1":                              &authv1.ListApiKeysRequest{AppId: "app_1"},
		"plan-requests list dev_1":                    &authv1.ListPlanRequestsRequest{AccountId: "dev_1"},
		"requests --account dev_1":                    &authv1.ListRequestsRequest{AccountId: "dev_1", PageSize: 100},
		"requests dev_1":                              &authv1.ListRequestsRequest{AccountId: "dev_1", PageSize: 100},
		"requests dev_1 --app app_1 --limit 5000":     &authv1.ListRequestsRequest{AccountId: "dev_1", AppId: "app_1", PageSize: 1000},
		"requests dev_1 --page dG9rZW4":               &authv1.ListRequestsRequest{AccountId: "dev_1", PageSize: 100, PageToken: "dG9rZW4"},
		"key delete key_1":                            &authv1.DeleteApiKeyRequest{Id: "key_1"},
		"person disconnect --person usr_1 --connection con_1": &authv1.DisconnectRequest{
			Id: "con_1", Actor: &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: "usr_1"}}},
		"company set com_1 --verified": &partnercatalogv1.SetCompanyPageRequest{CompanyId: "com_1", Verified: proto.Bool(true)},
		"key create --app app_1 --scopes \u00a0a,\u00a0b --name ats": &authv1.CreateApiKeyRequest{
			AppId: "app_1", Name: "ats", Scopes: []string{"a", "b"}},
		"company set com_1 --published=false --verified=true": &partnercatalogv1.SetCompanyPageRequest{
			CompanyId: "com_1", Published: proto.Bool(false), Verified: proto.Bool(true)},
		"application advance apl_1 offered": &candidatev1.AdvanceApplicationRequest{
			ApplicationId: "apl_1", Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_OFFERED},
		"application advance apl_1 rejected":  &candidatev1.RejectApplicationRequest{ApplicationId: "apl_1"},
		"application advance apl_1 withdrawn": &candidatev1.WithdrawApplicationRequest{ApplicationId: "apl_1"},
	} {
		conn := &conntest.Conn{Answer: answer}
		words := strings.Split(line, " ")
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "\u00a0", " ") // a space in quotes
		}
		if status, _, stderr := vitaectl(conn, "", words...); status != exitOK {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		} else if got := conn.Calls[0].Request; !proto.Equal(got, want) {
			t.Errorf("%s sent %v, want %v", line, got, want)
		}
	}
}

func TestRequestsReadsPagesUpToLimit(t *testing.T) {
	for limit, pages := range map[string][]int32{"1500": {1000, 500}, "2500": {1000, 1000, 500}, "100000": {1000, 1000, 1000}} {
		var sent []int32
		conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
			req := call.Request.(*authv1.ListRequestsRequest)
			if want := []string{"", "page 1", "page 2"}[len(sent)]; req.GetPageToken() != want {
				t.Errorf("page token %q, want %q", req.GetPageToken(), want)
			}
			sent = append(sent, req.GetPageSize())
			resp := &authv1.ListRequestsResponse{}
			for range req.GetPageSize() {
				resp.Requests = append(resp.Requests, &authv1.RequestEntry{At: noon, RequestId: "req_1"})
			}
			if len(sent) < 3 {
				resp.NextPageToken = fmt.Sprint("page ", len(sent))
			}
			return resp, nil
		}}
		status, stdout, stderr := vitaectl(conn, "", "requests", "dev_1", "--limit", limit)
		var all int
		for _, n := range pages {
			all += int(n)
		}
		if status != exitOK || !slices.Equal(sent, pages) || strings.Count(stdout, "\n") != all+1 { // with headings
			t.Errorf("--limit %s: status %d, pages of %d, %d lines, %s", limit, status, sent, strings.Count(stdout, "\n"), stderr)
		}
	}
}

func TestRequestsReportsWhereSearchStopped(t *testing.T) {
	conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) {
		return &authv1.ListRequestsResponse{NextPageToken: "dG9rZW4", SearchedTo: noon}, nil
	}}
	status, _, stderr := vitaectl(conn, "", "requests", "dev_1", "--method", "PUT")
	if want := "Searched back to 2030-01-31T12:00:00.000Z. To search further back, add --page dG9rZW4\n"; status != exitOK || stderr != want {
		t.Errorf("status %d, %q, want %q", status, stderr, want)
	}
}

func TestUsageErrorsExitWithStatus2(t *testing.T) {
	for _, line := range []string{
		"", "nope", "key", "key nope", "--nope", "company", "company set", "company set com_1", "company set --published=true",
		"company set com_1 --published=perhaps", "company set com_1 com_2 --published", "application", "application advance",
		"application advance apl_1", "application advance apl_1 applied", "application advance apl_1 hired", "application advance apl_1 offered now",
		"import", "import a b",
		"account suspend", "account suspend a b", "account plan dev_1", "account plan dev_1 gold", "account plan dev_1 custom",
		"account plan dev_1 custom --per-minute 5", "account plan dev_1 custom --per-minute x --per-day 1",
		"account plan dev_1 standard --per-minute 5 --per-day 10", "account plan dev_1 standard --per-day 10",
		"app list", "app create --account dev_1", "app create --name x", "app create --account dev_1 --name x --type secret", "app update app_1",
		"app update --name x", "app delete", "app delete app_1", "app expire-secret sec_1", "app expire-secret sec_1 --at soon",
		"app expire-secret sec_1 --never --at 2030-01-31T12:00:00Z", "plan-requests", "plan-requests grant", "plan-requests refuse a b",
		"version x", "completion nope",
		"key create --app app_1", "key create --scopes a", "key create --app a --scopes b --expires-at tomorrow",
		"key list", "person disconnect --person usr_1", "usage", "usage dev_1 --from today", "usage dev_1 --to 2030-02-30", "usage a b",
		"usage dev_1 --by route", "usage dev_1 --account dev_1", "usage minutes", "usage minutes dev_1 --minutes 121", "usage minutes dev_1 --minutes 0", "usage routes a b",
		"usage refusals dev_1 --from x",
		"requests", "requests dev_1 --limit 0", "requests dev_1 --limit many", "requests a b", "account resume dev_1 -o yaml",
	} {
		conn := &conntest.Conn{Answer: answer}
		status, stdout, stderr := vitaectl(conn, "", strings.Fields(line)...)
		if status != exitUsage || stdout != "" || stderr == "" || len(conn.Calls) != 0 {
			t.Errorf("%q: status %d, stdout %q, stderr %q, %d calls", line, status, stdout, stderr, len(conn.Calls))
		}
	}
}

func TestEveryCommandHasHelpAndExample(t *testing.T) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if path := strings.Fields(c.CommandPath()); c.Parent() == nil || c.Parent().Name() != "completion" {
			status, stdout, _ := vitaectl(&conntest.Conn{Answer: answer}, "", append(path[1:], "--help")...)
			if status != exitOK || !strings.Contains(stdout, "Usage:") || !strings.Contains(stdout, "--output") {
				t.Errorf("%q --help: status %d, %q", path, status, stdout)
			}
		}
		group := c.HasSubCommands() && c.Name() != "usage"
		if !group && c.Parent().Name() != "completion" && !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s has no example: %q", c.CommandPath(), c.Example)
		}
	}
	visit((&app{streams: Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}}).root())
}

func TestServiceErrorsExitWithStatus1(t *testing.T) {
	conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) {
		return nil, errs.New(errs.NotFound, "ACCOUNT_NOT_FOUND", "No such account.")
	}}
	for _, format := range []string{"text", "json"} {
		status, stdout, stderr := vitaectl(conn, "", "account", "suspend", "dev_1", "-o", format)
		if status != exitFailed || stdout != "" || stderr != "vitaectl: No such account. (ACCOUNT_NOT_FOUND)\n" {
			t.Errorf("-o %s: status %d, stdout %q, stderr %q", format, status, stdout, stderr)
		}
	}
}

func TestInvalidFileWritesNothing(t *testing.T) {
	conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
		if req, ok := call.Request.(*authv1.CreatePersonRequest); ok && req.GetPassword() == "short" {
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "password: is too short").WithField("password")
		}
		return nil, nil
	}}
	const faulty = `{"people":[{"ref":"p","email":"p@vitae.example","password":"short","nam":"P"}]}`
	const want = `{
  "faults": [
    {
      "path": "people[0].name",
      "message": "is required"
    },
    {
      "path": "people[0].nam",
      "message": "is not a field of this object"
    },
    {
      "path": "people[0].password",
      "message": "is too short"
    }
  ]
}
`
	status, stdout, _ := vitaectl(conn, faulty, "import", "-", "-o", "json")
	if status != exitFailed || stdout != want {
		t.Errorf("status %d, stdout %s", status, stdout)
	}
	status, stdout, stderr := vitaectl(conn, faulty, "import", "-")
	const lines = "people[0].name: is required\npeople[0].nam: is not a field of this object\npeople[0].password: is too short\n"
	if status != exitFailed || stdout != "" || !strings.HasPrefix(stderr, lines) || !strings.Contains(stderr, "nothing was written") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	for _, call := range conn.Calls {
		if call.Method != "CreatePerson" && call.Method != "CreateProfile" {
			t.Errorf("%s was called", call.Method)
		}
	}
}

func TestMissingFileExitsWithStatus1(t *testing.T) {
	status, _, stderr := vitaectl(&conntest.Conn{Answer: answer}, "", "import", filepath.Join(t.TempDir(), "none.json"))
	if status != exitFailed || !strings.Contains(stderr, "none.json") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

func TestMissingStackIsExplained(t *testing.T) {
	var out, err bytes.Buffer
	status := Run([]string{"account", "suspend", "dev_1"}, config.Environment{"VITAE_DATA_DIR": t.TempDir()}, Streams{Out: &out, Err: &err})
	if status != exitFailed || !strings.Contains(err.String(), "make run") {
		t.Errorf("status %d, stderr %q", status, err.String())
	}
}
