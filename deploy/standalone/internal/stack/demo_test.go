package stack_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// demo returns the environment of a stack with the demo world, as `make run` uses it, and the folder with the programs.
func demo(t *testing.T) (e config.Environment, programs string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	programs = t.TempDir()
	for _, folder := range []string{"cli/cmd/vitaectl", "examples/partner-app"} {
		build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-w", "-o", programs+"/", ".") // -w: links in two thirds of the time
		build.Dir = filepath.Join(root, folder)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", folder, err, out)
		}
	}
	return environment(t).With(config.Environment{"VITAE_WORLD": filepath.Join(root, "deploy/demo/world.json")}), programs
}

// platform is a partner with an API key.
type platform struct {
	t         *testing.T
	base, key string
}

// get reads a single resource or a list. It reads only one page, because no list in the demo is
// longer.
func (p platform) get(path string, into any) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.base+"/v1/"+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	var body struct{ Data, Error json.RawMessage }
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil || res.StatusCode != http.StatusOK {
		p.t.Fatalf("%s returns %s, %s, %v", path, res.Status, body.Error, err)
	}
	if err := json.Unmarshal(body.Data, into); err != nil {
		p.t.Fatal(err)
	}
}

type job struct {
	ID, Status, WorkMode, Distribution string
	ApplicationCount                   int
	Salary, Eligibility                map[string]any
	ScreeningQuestions                 []struct{ Type string }
}

type applicant struct {
	ApplicationID, Status string
	CoverLetter           string
	Candidate             struct{ Name string }
	SubmittedCvDocument   *struct{ Title string }
	Resume                *struct{ DownloadURL, Filename string }
}

// seen contains what a partner finds in the demo world.
type seen map[string]bool

func (s seen) expect(t *testing.T, kind string, values ...string) {
	t.Helper()
	for _, v := range values {
		if !s[kind+" "+v] {
			t.Errorf("the demo shows no %s %s", kind, v)
		}
	}
}

var arabic = regexp.MustCompile(`\p{Arabic}`)

func everyStateAndStageIsShown(t *testing.T, said string, e config.Environment) {
	shown := seen{}
	companies := 0
	for _, line := range strings.Split(said, "\n") {
		key := regexp.MustCompile(`svc_sk_\w+`).FindString(line)
		if key == "" || !strings.Contains(line, "candidates:read") {
			continue
		}
		p := platform{t, "http://" + e["VITAE_PUBLIC_ADDR"], key}
		var list []struct {
			ID                  string
			Published, Verified bool
		}
		p.get("companies", &list)
		companies += len(list)
		for _, c := range list {
			shown["verified company"] = shown["verified company"] || c.Verified && c.Published
			for _, jobs := range []string{"", "?status=archived"} {
				p.jobs("companies/"+c.ID+"/jobs"+jobs, shown)
			}
		}
	}
	if companies != 2 || !shown["verified company"] {
		t.Errorf("the printed keys show %d companies, %v", companies, shown)
	}
	shown.expect(t, "job", "draft", "active", "closed", "archived", "remote", "tabbio_only", "with salary", "with eligibility")
	shown.expect(t, "question", "yes_no", "multiple_choice", "short_answer", "long_answer", "number")
	shown.expect(t, "applicant", "applied", "reviewed", "shortlisted", "interview", "offered", "rejected", "withdrawn",
		"with an Arabic name", "with an Arabic letter", "with an Arabic CV")
	shown.expect(t, "resume of type", "application/pdf", "application/rtf",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document")
}

// The people whose credentials are printed can see charts and a request log in the account's
// console.
func anAccountHasMembersAndAQuarterOfUsage(t *testing.T, said string, e config.Environment) {
	identity, err := mtls.Load(mtls.Files(filepath.Join(e["VITAE_DATA_DIR"], "tls"), "vitaectl"))
	if err != nil {
		t.Fatal(err)
	}
	auth, err := grpcx.Dial(e["VITAE_AUTH_GRPC_ADDR"], "auth", identity)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = auth.Close() })
	account := regexp.MustCompile(`Dalil Careers\s+(dev_\w+)`).FindStringSubmatch(said)
	if account == nil {
		t.Fatalf("no account with usage in %s", said)
	}

	members, err := authv1.NewMemberServiceClient(auth).ListMembers(t.Context(), &authv1.ListMembersRequest{AccountId: account[1]})
	if err != nil || len(members.GetMembers()) < 2 {
		t.Fatalf("%v, %v", members, err)
	}
	for _, m := range members.GetMembers() {
		if !strings.Contains(said, m.GetEmail()) {
			t.Errorf("the output has no credentials for %s", m.GetEmail())
		}
	}
	calls := authv1.NewUsageServiceClient(auth)
	usage, err := calls.ListUsage(t.Context(), &authv1.ListUsageRequest{
		AccountId: account[1], FromDay: time.Now().UTC().AddDate(0, 0, -91).Format(time.DateOnly),
		GroupBy: authv1.UsageGrouping_USAGE_GROUPING_STATUS,
	})
	if err != nil || len(usage.GetUsage()) < 89 || len(usage.GetUsage()) > 91 { // there may be no request since midnight
		t.Errorf("%d days, %v", len(usage.GetUsage()), err)
	}
	requests, err := calls.ListRequests(t.Context(), &authv1.ListRequestsRequest{AccountId: account[1]})
	if err != nil || len(requests.GetRequests()) == 0 {
		t.Fatalf("%d requests, %v", len(requests.GetRequests()), err)
	}
	one, err := calls.GetRequest(t.Context(), &authv1.GetRequestRequest{AccountId: account[1], RequestId: requests.GetRequests()[0].GetRequestId()})
	if err != nil {
		t.Errorf("a request is not found by its id: %v, %v", one, err)
	}

	open, err := authv1.NewMemberServiceClient(auth).ListInvitations(t.Context(), &authv1.ListInvitationsRequest{AccountId: account[1]})
	if err != nil || len(open.GetInvitations()) == 0 {
		t.Errorf("no invitation is open: %v", err)
	}
	developers := authv1.NewDeveloperServiceClient(auth)
	asked, err := developers.ListPlanRequests(t.Context(), &authv1.ListPlanRequestsRequest{AccountId: account[1]})
	if err != nil || len(asked.GetPlanRequests()) == 0 {
		t.Errorf("no plan request is open: %v", err)
	}
	apps, err := developers.ListApps(t.Context(), &authv1.ListAppsRequest{AccountId: account[1]})
	if err != nil || len(apps.GetApps()) == 0 {
		t.Fatalf("no apps: %v", err)
	}
	for _, app := range apps.GetApps() {
		keys, err := developers.ListApiKeys(t.Context(), &authv1.ListApiKeysRequest{AppId: app.GetApp().GetId()})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys.GetApiKeys() {
			if k.GetLastUsedAt() == nil {
				t.Errorf("the key %s has usage, but no time of last use", k.GetName())
			}
		}
	}
}

func (p platform) jobs(path string, shown seen) {
	p.t.Helper()
	var jobs []job
	p.get(path, &jobs)
	for _, j := range jobs {
		for _, word := range []string{j.Status, j.WorkMode, j.Distribution} {
			shown["job "+word] = true
		}
		shown["job with salary"] = shown["job with salary"] || j.Salary != nil
		shown["job with eligibility"] = shown["job with eligibility"] || j.Eligibility != nil
		for _, q := range j.ScreeningQuestions {
			shown["question "+q.Type] = true
		}
		var rows []applicant
		p.get("jobs/"+j.ID+"/candidates", &rows)
		if j.ApplicationCount > len(rows) {
			p.t.Errorf("%s has an applicationCount of %d, but lists %d applications", j.ID, j.ApplicationCount, len(rows))
		}
		for _, row := range rows {
			p.applicant(row.ApplicationID, shown)
		}
	}
}

func (p platform) applicant(id string, shown seen) {
	p.t.Helper()
	var a applicant
	p.get("candidates/"+id, &a)
	shown["applicant "+a.Status] = true
	shown["applicant with an Arabic name"] = shown["applicant with an Arabic name"] || arabic.MatchString(a.Candidate.Name)
	shown["applicant with an Arabic letter"] = shown["applicant with an Arabic letter"] || arabic.MatchString(a.CoverLetter)
	if cv := a.SubmittedCvDocument; cv != nil {
		shown["applicant with an Arabic CV"] = shown["applicant with an Arabic CV"] || arabic.MatchString(cv.Title)
	}
	if a.Resume == nil {
		return
	}
	res, err := http.Get(a.Resume.DownloadURL)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || !slices.ContainsFunc([]string{"%PDF-", "PK\x03\x04", `{\rtf1`}, func(begin string) bool {
		return strings.HasPrefix(string(content), begin)
	}) {
		p.t.Errorf("the resume %q returns %s with %d bytes, %v", a.Resume.Filename, res.Status, len(content), err)
	}
	shown["resume of type "+res.Header.Get("Content-Type")] = true
}
