package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/release"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// appResponses responds to calls about apps and plan requests.
func appResponses(call conntest.Call) (proto.Message, error) {
	app := &authv1.App{
		Id: "app_1", AccountId: "dev_1", Name: "Noor", ClientId: "svc_ci_1", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL,
		Description: "Finds\n\x1b[2Jwork.", Homepage: "https://noor.example", RedirectUris: []string{"https://noor.example/cb"},
		Scopes: []string{"profile"}, CreatedAt: noon, CreatedBy: "vitaectl", UpdatedAt: noon, LogoVersion: "00ff",
	}
	request := &authv1.PlanRequest{
		Id: "plr_1", AccountId: "dev_1", AccountName: "Noor Media", Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED, PerMinute: 1000, PerDay: 200000},
		Reason: "We go\nlive.", State: authv1.PlanRequestState_PLAN_REQUEST_STATE_OPEN, CreatedAt: noon, CreatedBy: "internal",
	}
	switch req := call.Request.(type) {
	case *authv1.GetAppRequest:
		return &authv1.GetAppResponse{App: app}, nil
	case *authv1.ListAppsRequest:
		gone := &authv1.App{Id: "app_0", Name: "Old", ClientId: "svc_ci_0", ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC, CreatedAt: timestamppb.New(now), UpdatedAt: noon, DeletedAt: noon}
		return &authv1.ListAppsResponse{Apps: []*authv1.ListedApp{
			{App: app, State: authv1.AppState_APP_STATE_LIVE, Connections: 1200}, {App: gone, State: authv1.AppState_APP_STATE_DELETED},
		}}, nil
	case *authv1.UpdateAppRequest:
		return &authv1.UpdateAppResponse{App: app}, nil
	case *authv1.DeleteAppRequest:
		if req.GetConfirmName() != "" && req.GetConfirmName() != "Noor" {
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "confirm_name: must be the name of the app").WithField("confirm_name")
		}
		return &authv1.DeleteAppResponse{}, nil
	case *authv1.SetClientSecretExpiryRequest:
		return &authv1.SetClientSecretExpiryResponse{Secret: secrets[1]}, nil
	case *authv1.ListPlanRequestsRequest:
		return &authv1.ListPlanRequestsResponse{PlanRequests: []*authv1.PlanRequest{request}}, nil
	case *authv1.GrantPlanRequestRequest:
		request.State, request.DecidedAt, request.DecidedBy = authv1.PlanRequestState_PLAN_REQUEST_STATE_GRANTED, noon, "vitaectl"
		return &authv1.GrantPlanRequestResponse{PlanRequest: request}, nil
	case *authv1.RefusePlanRequestRequest:
		request.State, request.DecidedAt, request.DecidedBy = authv1.PlanRequestState_PLAN_REQUEST_STATE_REFUSED, noon, "vitaectl"
		return &authv1.RefusePlanRequestResponse{PlanRequest: request}, nil
	}
	return usageResponses(call)
}

func TestUpdateMaskListsSetFlags(t *testing.T) {
	logo := filepath.Join(t.TempDir(), "logo.png")
	if err := os.WriteFile(logo, []byte("a picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]*authv1.UpdateAppRequest{
		"--name Noor": {Name: "Noor", UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"name"}}},
		"--scopes profile,email --redirect-uri https://a --redirect-uri https://b?c=d,e": {
			Scopes: []string{"profile", "email"}, RedirectUris: []string{"https://a", "https://b?c=d,e"},
			UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"redirect_uris", "scopes"}}},
		"--homepage= --scopes= --logo=": {UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"homepage", "logo", "scopes"}}},
		"--logo " + logo + " --privacy-policy https://p --terms https://t --support s@x.example --logo-url https://l --description D": {
			Logo: []byte("a picture"), PrivacyPolicy: "https://p", Terms: "https://t", Support: "s@x.example", LogoUrl: "https://l", Description: "D",
			UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"description", "logo", "logo_url", "privacy_policy", "support", "terms"}}},
	} {
		conn := &conntest.Conn{Answer: answer}
		want.Id = "app_1"
		status, _, stderr := vitaectl(conn, "", strings.Fields("app update app_1 "+line)...)
		if status != exitOK || !proto.Equal(conn.Calls[0].Request, want) {
			t.Errorf("%s: status %d, %s\nsent %v\nwant %v", line, status, stderr, conn.Calls, want)
		}
	}
	conn := &conntest.Conn{Answer: answer}
	if status, _, stderr := vitaectl(conn, "", "app", "update", "app_1", "--logo", logo+".none"); status != exitFailed || len(conn.Calls) != 0 || stderr == "" {
		t.Errorf("missing file: status %d, %s, %v", status, stderr, conn.Calls)
	}
}

// acts returns the recorded calls, except the calls that look up names for confirmation questions.
func acts(conn *conntest.Conn) []conntest.Call {
	return slices.DeleteFunc(slices.Clone(conn.Calls), func(c conntest.Call) bool {
		switch c.Request.(type) {
		case *authv1.GetAccountRequest, *authv1.GetAppRequest, *authv1.GetPersonRequest:
			return true
		}
		return false
	})
}

func TestConfirmationNamesObject(t *testing.T) {
	conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
		switch call.Request.(type) {
		case *authv1.GetAccountRequest:
			return &authv1.GetAccountResponse{Account: &authv1.Account{Name: "Rasheed\nTalent"}}, nil
		case *authv1.GetPersonRequest:
			return &authv1.GetPersonResponse{Person: &authv1.Person{Email: "ali@vitae.example"}}, nil
		}
		return answer(call)
	}}
	for line, want := range map[string]string{
		"account suspend dev_1":                               "Suspend Rasheed Talent (dev_1)?",
		"member remove --account dev_1 --person usr_1":        "Remove ali@vitae.example (usr_1) from Rasheed Talent (dev_1)?",
		"person disconnect --person usr_1 --connection con_1": "End con_1 of ali@vitae.example (usr_1)?",
	} {
		if _, stderr := typing(conn, "no\n", strings.Fields(line)...); !strings.Contains(stderr, want) {
			t.Errorf("%s asks %q, want %q", line, stderr, want)
		}
	}
}

// typing runs a command line on a terminal and types the given input.
func typing(conn *conntest.Conn, typed string, args ...string) (status int, stderr string) {
	var out, err bytes.Buffer
	status = run(context.Background(), args, Streams{In: strings.NewReader(typed), Out: &out, Err: &err, Interactive: true}, clock.NewFake(now),
		func() (*stack, error) { return newStack(conn, conn, conn, func() {}), nil })
	return status, err.String()
}

func TestDestructiveCommandsAskForConfirmation(t *testing.T) {
	for line, question := range map[string]string{
		"key delete key_1":                                    "key_1",
		"app delete-secret sec_1":                             "sec_1",
		"account suspend dev_1":                               "dev_1",
		"app rotate-secret app_1":                             "app_1",
		"app rotate-secret app_1 --overlap 24h --end-older":   "app_1",
		"member remove --account dev_1 --person usr_1":        "Remove usr_1 from dev_1?",
		"account close dev_1 --name Dev":                      "Close dev_1 permanently",
		"member withdraw inv_1":                               "Withdraw inv_1?",
		"person disconnect --person usr_1 --connection con_1": "End con_1 of usr_1?",
	} {
		for typed, done := range map[string]bool{"y\n": true, "Yes\r\n": true, "\n": false, "": false, "n\n": false, "no way\n": false} {
			conn := &conntest.Conn{Answer: answerOfTeams}
			status, stderr := typing(conn, typed, strings.Fields(line)...)
			if (status == exitOK) != done || (len(acts(conn)) == 1) != done || !strings.Contains(stderr, question) {
				t.Errorf("%s, %q: status %d, %q, %d calls", line, typed, status, stderr, len(acts(conn)))
			}
		}
		conn := &conntest.Conn{Answer: answerOfTeams}
		if status, stderr := typing(conn, "", append(strings.Fields(line), "--yes")...); status != exitOK || stderr != "" {
			t.Errorf("%s --yes: status %d, %q", line, status, stderr)
		}
	}
}

func TestEmptyPlanRequestListIsExplained(t *testing.T) {
	for line, want := range map[string]string{
		"":                      "No open requests for another plan.\n",
		"--account dev_1 --all": "No requests for another plan of dev_1.\n",
		"-o json":               "[]\n",
	} {
		conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) { return &authv1.ListPlanRequestsResponse{}, nil }}
		status, stdout, stderr := vitaectl(conn, "", append([]string{"plan-requests", "list"}, strings.Fields(line)...)...)
		if status != exitOK || stdout != want {
			t.Errorf("%s: status %d, %q, %s", line, status, stdout, stderr)
		}
	}
}

func TestHarmlessRotationNeedsNoConfirmation(t *testing.T) {
	conn := &conntest.Conn{Answer: answer}
	if status, stderr := typing(conn, "", "app", "rotate-secret", "app_1", "--overlap", "24h"); status != exitOK || stderr != "" {
		t.Errorf("status %d, %q", status, stderr)
	}
}

func TestLowerPlanRequiresConfirmation(t *testing.T) {
	for line, asks := range map[string]bool{
		"standard": true, "elevated": true, "custom --per-minute 5 --per-day 50": false,
		"custom --per-minute 4 --per-day 50": true, "custom --per-minute 9 --per-day 49": true,
	} {
		conn := &conntest.Conn{Answer: budgetResponses(authv1.PlanName_PLAN_NAME_CUSTOM)}
		status, stderr := typing(conn, "n\n", append([]string{"account", "plan", "dev_1"}, strings.Fields(line)...)...)
		if (status == exitFailed) != asks || strings.Contains(stderr, "Noor (dev_1)") != asks || slices.Contains(conn.Methods(), "SetAccountPlan") == asks {
			t.Errorf("%s: status %d, %q, %v", line, status, stderr, conn.Methods())
		}
	}
	conn := &conntest.Conn{Answer: budgetResponses(authv1.PlanName_PLAN_NAME_STANDARD)}
	if status, stderr := typing(conn, "", "account", "plan", "dev_1", "elevated"); status != exitOK || stderr != "" {
		t.Errorf("standard to elevated: status %d, %q", status, stderr)
	}
	conn = &conntest.Conn{Answer: budgetResponses(authv1.PlanName_PLAN_NAME_CUSTOM)}
	if status, stderr := typing(conn, "", "account", "plan", "dev_1", "standard", "--yes"); status != exitOK || stderr != "" || len(conn.Calls) != 1 {
		t.Errorf("--yes: status %d, %q, %v", status, stderr, conn.Methods())
	}
}

// budgetResponses responds as if the account may send 5 requests a minute and 50 a day.
func budgetResponses(name authv1.PlanName) func(conntest.Call) (proto.Message, error) {
	return func(call conntest.Call) (proto.Message, error) {
		if _, ok := call.Request.(*authv1.GetAccountRequest); ok {
			return &authv1.GetAccountResponse{Account: &authv1.Account{
				Id: "dev_1", Name: "Noor", Plan: &authv1.Plan{Name: name, PerMinute: 5, PerDay: 50},
			}}, nil
		}
		return answer(call)
	}
}

func TestAppDeletionAsksForName(t *testing.T) {
	for typed, want := range map[string]struct {
		status int
		calls  string
	}{
		"Noor\n": {exitOK, "GetApp DeleteApp"}, "noor\n": {exitFailed, "GetApp DeleteApp"}, "\n": {exitFailed, "GetApp"}, "": {exitFailed, "GetApp"},
	} {
		conn := &conntest.Conn{Answer: answer}
		status, stderr := typing(conn, typed, "app", "delete", "app_1")
		if status != want.status || strings.Join(conn.Methods(), " ") != want.calls || !strings.Contains(stderr, "Noor (app_1)") {
			t.Errorf("%q: status %d, %v, %q", typed, status, conn.Methods(), stderr)
		}
	}
	conn := &conntest.Conn{Answer: answer}
	if status, stderr := typing(conn, "", "app", "delete", "app_1", "-y"); status != exitOK || stderr != "" || len(conn.Calls) != 1 {
		t.Errorf("-y: status %d, %q, %v", status, stderr, conn.Methods())
	}
}

// Background programs run vitaectl with /dev/null, a file or a pipe as stdin.
func TestNullAndPipeAreNotTerminals(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	pipe, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer end.Close()
	if IsTerminal(null) || IsTerminal(pipe) {
		t.Error("IsTerminal returned true for /dev/null or a pipe")
	}
}

func TestVersionAndCompletionsNeedNoStack(t *testing.T) {
	for line, want := range map[string]string{
		"version": "vitaectl (devel)", "--version": "vitaectl (devel)", "version -o json": `"version": "(devel)"`,
		"completion bash": "__start_vitaectl", "completion zsh": "#compdef vitaectl", "completion fish": "complete -c vitaectl",
		"__complete app create --type ":              "confidential\npublic\n",
		"__complete key create --scopes ":            "jobs:read\n",
		"__complete plan-requests ":                  "grant\t",
		"__complete usage dev_1 --by ":               "app\nkey\nstatus\n",
		"__complete usage mi":                        "minutes\t",
		"__complete audit --action api_key.c":        "api_key.create\n",
		"__complete requests dev_1 --status 4":       "4xx\n5xx\n",
		"__complete account plan dev_1 ":             "custom\nelevated\nstandard\n",
		"__complete app update app_1 --scopes prof ": "",
	} {
		conn := &conntest.Conn{Answer: answer}
		status, stdout, _ := vitaectl(conn, "", strings.Split(line, " ")...)
		if status != exitOK || !strings.Contains(stdout, want) || len(conn.Calls) != 0 {
			t.Errorf("%s: status %d, %.200q", line, status, stdout)
		}
	}
}

func TestVersionLineDescribesBuild(t *testing.T) {
	b := release.Build{Version: "v1.2.0", Revision: "0123abcd", Time: "2030-01-31T12:00:00Z", Modified: true, Go: "go1.26.8"}
	if got, want := versionLine(b), "vitaectl v1.2.0 commit 0123abcd 2030-01-31T12:00:00Z modified go1.26.8"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b = release.Build{Version: "(devel)", Go: "go1.26.8"}
	if got, want := versionLine(b), "vitaectl (devel) (built without its commit) go1.26.8"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTableAlignsAnyScript(t *testing.T) {
	got := strings.Join(table([]string{"ID", "NAME", "STATE"}, [][]string{{"app_1", "نور", "live"}, {"app_22", "N", ""}}), "\n")
	if want := "ID      NAME  STATE\napp_1   نور   live\napp_22  N"; got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	if lines := table([]string{"ID"}, nil); len(lines) != 0 {
		t.Errorf("a table without rows has lines: %v", lines)
	}
}
