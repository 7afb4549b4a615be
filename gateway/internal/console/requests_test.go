package console_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// entryOf returns a log entry for a request that the app sent the given time before now.
func entryOf(n int, ago time.Duration) *authv1.RequestEntry {
	return &authv1.RequestEntry{
		At: timestamppb.New(now.Add(-ago)), RequestId: fmt.Sprintf("req_%d", n), AccountId: "dev_1", AppId: "app_1", ApiKeyId: "key_1",
		Method: "GET", Route: "/v1/jobs/{jobId}/candidates", Status: 404, Latency: durationpb.New(12_345 * time.Microsecond), Bytes: 12_345,
		Metered: true, ErrorCode: "JOB_NOT_FOUND", ErrorMessage: "There is no such job.", ResourceId: "job_1", ClientAddress: "192.0.2.7", UserAgent: "curl/8.9",
		MinuteLeft: proto.Int32(299), DayLeft: proto.Int32(19_999),
	}
}

// withLog returns a backend with n log entries, one second apart, newest first.
func withLog(n int) *backend {
	b := newBackend()
	for i := range n {
		b.logged = append(b.logged, entryOf(i, time.Duration(i)*time.Second))
	}
	return b
}

func TestRequestLogHasPagesNewestFirst(t *testing.T) {
	t.Parallel()
	back := withLog(101)
	b := signIn(t, back, member(viewer, "dev_1"))
	next, pages := "/requests", 0
	var seen []string
	for ; next != ""; pages++ {
		page := b.page(next)
		for _, part := range strings.Split(page, `data-id="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			seen = append(seen, id)
		}
		next = linkTo(page, "older")
	}
	if pages != 3 || len(seen) != 101 {
		t.Fatalf("%d pages with %d requests", pages, len(seen))
	}
	for i, e := range back.logged {
		if seen[i] != e.GetRequestId() {
			t.Fatalf("row %d is %s, want %s", i, seen[i], e.GetRequestId())
		}
	}
}

// linkTo returns the URL of the link with the given id.
func linkTo(page, id string) string {
	_, after, _ := strings.Cut(page, `id="`+id+`" href="`)
	address, _, _ := strings.Cut(after, `"`)
	return html.UnescapeString(address)
}

func TestStoppedSearchCanBeContinued(t *testing.T) {
	t.Parallel()
	back := withLog(2)
	b := signIn(t, back, member(viewer, "dev_1"))
	back.stops = 1
	wantAll(t, b.page("/requests?resource-id=job_1"),
		"No request matches so far.", `Searched back to <time datetime="2026-03-01T12:00:00.000000Z">1 Mar 12:00:00.000</time> UTC.`,
		`id="older" href="/requests?page=0&amp;resource-id=job_1" rel="next">Search further back<`)
	back.stops = 1
	wantNone(t, b.page("/requests/newest?resource-id=job_1"), "data-whole")
	back.stops = 1
	if rows := strings.Count(b.page("/requests.csv?resource-id=job_1"), "\n"); rows != 3 {
		t.Errorf("the file has %d lines", rows)
	}
	back.stops = 10 // the maximum for a CSV file
	rows, err := csv.NewReader(b.get("/requests.csv?resource-id=job_1").Body).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][0] != "Searched back to 2026-03-01T12:00:00.000000Z" {
		t.Errorf("the file of a stopped search is %q, %v", rows, err)
	}
	back.logged = nil
	wantAll(t, b.page("/requests?resource-id=job_1&page=0"), "No older request matches")
}

func TestRequestFiltersAreSentToAuth(t *testing.T) {
	t.Parallel()
	back := withLog(51)
	b := signIn(t, back, member(viewer, "dev_1"))
	address := "/requests?" + url.Values{
		"app": {"app_1"}, "key": {"token"}, "status": {"4XX"}, "error-code": {"job_not_found"}, "method": {"get"}, "route": {"/v1/jobs/{jobId}"},
		"resource-id": {"job_1"}, "from": {"2026-02-28"}, "to": {"2026-03-01T13:00"},
	}.Encode()
	page := b.page(address)
	want := &authv1.ListRequestsRequest{
		AccountId: "dev_1", AppId: "app_1", ApiKeyId: "token", Status: "4xx", ErrorCode: "JOB_NOT_FOUND", Method: "GET", Route: "/v1/jobs/{jobId}", ResourceId: "job_1",
		From: timestamppb.New(time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)), To: timestamppb.New(time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)), PageSize: 50,
	}
	if got := sent[*authv1.ListRequestsRequest](back)[0]; !proto.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	filter := html.EscapeString(strings.TrimPrefix(address, "/requests?"))
	wantAll(t, page, `id="refresh" href="/requests?`+filter+`"`, `href="/requests.csv?`+filter+`"`,
		`value="4XX"`, `value="2026-02-28T00:00:00"`, `<option value="token" selected>`, `value="/v1/jobs/{jobId}"`, `<option value="GET" selected>`)
	older, err := url.Parse(linkTo(page, "older"))
	if q := older.Query(); err != nil || q.Get("page") != "50" || q.Get("status") != "4XX" || q.Get("resource-id") != "job_1" {
		t.Errorf("the link to older requests is %v", older)
	}
	leads(t, b.get("/requests?app=&key=&status=4xx&error-code=&from=&request-id="), "/requests?status=4xx")
}

func TestInvalidRequestFilterIsShownAtItsField(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(viewer, "dev_1"))
	res := b.get("/requests?status=teapot&from=yesterday&to=2026-13-01&route=%2Fv1%2Fme&app=app_gone&key=key_gone&method=PUT")
	if n := len(sent[*authv1.ListRequestsRequest](back)); res.StatusCode != http.StatusUnprocessableEntity || n != 0 {
		t.Errorf("status %d after %d searches, want 422 after none", res.StatusCode, n)
	}
	wantAll(t, body(t, res),
		`id="status-fault">Enter a status`, `id="from-fault">Enter a day`, `id="to-fault">Enter a day`, `value="teapot"`, `type="text" value="yesterday"`, `type="text" value="2026-13-01"`,
		`value="/v1/me"`, `<option value="app_gone" selected>`, `<option value="key_gone" selected>`, `<option value="PUT" selected>`)
	back.fail["ListRequests"] = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "to", Description: "must not be before from"})
	wantAll(t, b.page("/requests?from=2026-03-01&to=2026-02-01"), `id="to-fault">Must not be before from.`, `value="2026-02-02T00:00:00"`)
	clear(back.fail)
	for path, want := range map[string]int{
		"/requests?status=%ff": http.StatusUnprocessableEntity, "/requests?from=99999-01-01": http.StatusUnprocessableEntity,
		"/requests?to=9999-12-31": http.StatusUnprocessableEntity, "/requests.csv?status=teapot": http.StatusBadRequest,
	} {
		if res := b.get(path); res.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, res.StatusCode, want)
		}
	}
	leads(t, b.get("/requests?status=4xx&page=broken"), "/requests?status=4xx")
}

func TestRequestIDLeadsToRequest(t *testing.T) {
	t.Parallel()
	b := signIn(t, withLog(1), member(viewer, "dev_1"))
	leads(t, b.get("/requests?app=&status=&request-id=+req_0+"), "/requests?request-id=req_0")
	leads(t, b.get("/requests?request-id=req_0"), "/requests/req_0")
	res := b.get("/requests?status=4xx&request-id=req_9")
	if res.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("an unknown id: status %d", res.StatusCode)
	}
	wantAll(t, body(t, res), `id="request-id-fault"`, `value="req_9"`, `value="4xx"`)
}

// Requests without a live credential are not logged.
func TestMissingRequestPageLinksToKeys(t *testing.T) {
	t.Parallel()
	const told = "Requests with an expired, deleted or unknown key or token aren’t logged. Check "
	b := signIn(t, newBackend(), member(viewer, "dev_1"))
	for _, id := range []string{"req_9", strings.Repeat("x", 101)} {
		res := b.get("/requests/" + id)
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", id, res.StatusCode)
		}
		wantAll(t, body(t, res), told+`<a href="/apps/app_1/keys">API keys</a> for keys that have ended.`)
	}
	wantAll(t, signIn(t, twoApps(), member(viewer, "dev_1")).page("/requests/req_9"), told+`<a href="/apps">the API keys of your apps</a>`)
	wantNone(t, b.page("/requests"), told)
}

func TestRequestIsExplained(t *testing.T) {
	t.Parallel()
	back := withLog(1)
	answer(back, func(*authv1.ListApiKeysRequest) (*authv1.ListApiKeysResponse, error) {
		return &authv1.ListApiKeysResponse{ApiKeys: []*authv1.ApiKey{{Id: "key_1", Name: "ats <i>", DeletedAt: timestamppb.New(now)}}}, nil
	})
	b := signIn(t, back, member(viewer, "dev_1"))
	wantAll(t, b.page("/requests/req_0"),
		"<code>/v1/jobs/job_1/candidates</code>", ">404<", `id="message">There is no such job.<`, "No job with this id.", appURL+"/docs/errors/JOB_NOT_FOUND", "1 Mar 2026 12:00:00.000</time> UTC",
		"<dd>12 ms</dd>", "12,345 bytes", "<dd>yes</dd>", "<dd>299 of 300</dd>", "<dd>19,999 of 20,000</dd>", "192.0.2.7", "curl/8.9", `<a href="/apps/app_1/keys"><bdi>ats &lt;i&gt; (deleted)</bdi></a>`,
		`href="/requests?key=key_1"`, `href="/requests?method=GET&amp;route=%2Fv1%2Fjobs%2F%7BjobId%7D%2Fcandidates"`, `href="/requests?resource-id=job_1"`, `href="/requests?error-code=JOB_NOT_FOUND"`)
	e := back.logged[0]
	e.ApiKeyId, e.ConnectionId, e.MinuteLeft, e.DayLeft, e.RefusedBy, e.Metered, e.ErrorCode, e.ResourceId = "", "con_1", nil, nil, "user_token_burst", false, "UNHEARD_OF", ""
	wantAll(t, b.page("/requests/req_0"), "<code>con_1</code>", "<dd>not known</dd>", "bursts of the connection", "<dd>no</dd>", "<code>/v1/jobs/{jobId}/candidates</code>",
		"<code>UNHEARD_OF</code>", `href="/requests?app=app_1&amp;key=token"`)
}

func TestRepeatedFailuresAreGrouped(t *testing.T) {
	t.Parallel()
	back := withLog(6)
	for i, e := range back.logged {
		if e.ErrorCode, e.Status, e.Method, e.Route = "PUBLIC_API_VALIDATION_ERROR", 400, "POST", "/v1/companies"; i < 3 {
			e.ErrorMessage, e.OtherFaults = "name: must not be blank", []string{"location: is required"}
		}
	}
	back.logged[5].Status, back.logged[5].ErrorCode, back.logged[5].ErrorMessage = 200, "", ""
	back.logged[4].ErrorMessage = "name: <b>"
	b := signIn(t, back, member(viewer, "dev_1"))
	page := b.page("/requests")
	for want, times := range map[string]int{
		`<bdi class="why" title="name: must not be blank">name: must not be blank</bdi>`:  3,
		`>3 × 400 <code>POST /v1/companies</code></a> <bdi>name: must not be blank</bdi>`: 1,
		" × ": 1, "<bdi>name: &lt;b&gt;</bdi>": 0, "name: &lt;b&gt;</bdi>": 1,
	} {
		if got := strings.Count(page, want); got != times {
			t.Errorf("%s occurs %d times, want %d", want, got, times)
		}
	}
	wantAll(t, b.page("/requests/req_0"), `id="message">name: must not be blank<`, "<li><bdi>location: is required</bdi></li>")
}

func TestMissingScopeIsExplained(t *testing.T) {
	t.Parallel()
	back := withLog(1)
	back.keys = []*authv1.ApiKey{{Id: "key_1", Name: "Laptop <i>", Scopes: []string{"companies:read", "jobs:read"}}}
	b := signIn(t, back, member(viewer, "dev_1"))
	e := back.logged[0]
	e.Method, e.Route, e.Status, e.ErrorCode, e.ResourceId = "POST", "/v1/companies", 403, "API_KEY_INSUFFICIENT_SCOPE", ""
	wantAll(t, b.page("/requests/req_0"), "The key lacks the scope.", "This route needs <code>companies:write</code>.",
		"The key <bdi>Laptop &lt;i&gt;</bdi> has <code>companies:read</code>, <code>jobs:read</code>.", `<p><a href="/apps/app_1/keys">API keys of <bdi>`)

	e.ApiKeyId, e.ConnectionId, e.Method, e.ErrorCode = "", "con_1", "HEAD", "OAUTH_INSUFFICIENT_SCOPE"
	for _, route := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
		e.Route = route
		wantAll(t, b.page("/requests/req_0"), "This route needs <code>cv:read</code>.",
			"may ask people for <code>profile</code>, <code>email</code>; a person may have allowed fewer.", `<p><a href="/apps/app_1">Scopes of <bdi>`)
	}
	e.Route = "/v1/else"
	wantNone(t, b.page("/requests/req_0"), "This route needs")
	e.Route, e.ErrorCode = "/v1/me/cv", "DEVELOPER_ACCOUNT_SUSPENDED"
	wantNone(t, b.page("/requests/req_0"), "This route needs")
}

func TestRejectionShowsLimit(t *testing.T) {
	t.Parallel()
	back := withLog(1)
	b := signIn(t, back, member(viewer, "dev_1"))
	e := back.logged[0]
	e.Status, e.Metered, e.ErrorCode, e.MinuteLeft = 429, false, "RATE_LIMIT_EXCEEDED", proto.Int32(0)
	for limit, want := range map[string]string{
		"minute": "the account&#39;s minute: 300 requests", "day": "the account&#39;s day: 20,000 requests",
		"api_key_burst": "bursts of the app&#39;s keys: 20 a second", "api_key_sustained": "the lasting rate of the app&#39;s keys: 3,000 a minute",
		"user_token_burst": "bursts of the connection", "an unknown limit": "an unknown limit",
	} {
		e.RefusedBy = limit
		wantAll(t, b.page("/requests/req_0"), "It was refused by <strong>"+want+"</strong>.", "<dd><strong>"+want+"</strong></dd>", "<dd>0 of 300</dd>", "<dt>Counted against the quota</dt><dd>no</dd>")
	}
	e.MinuteLeft = proto.Int32(500)
	wantAll(t, b.page("/requests/req_0"), "<dd>500</dd>") // the plan has been reduced since then
}

func TestLoggedStringsAreEscapedAndIsolated(t *testing.T) {
	t.Parallel()
	back := withLog(1)
	hostile := `"><script>alert(1)</script>` + "\u202e" + strings.Repeat("x", 150)
	e := back.logged[0]
	e.UserAgent, e.ResourceId, e.ErrorCode, e.Route, e.Method, e.ClientAddress = hostile, hostile, hostile, hostile, hostile, hostile
	e.ErrorMessage, e.OtherFaults, e.RequestId = hostile, []string{hostile}, `req_"><script>`
	back.app.Name = hostile
	back.keys = []*authv1.ApiKey{{Id: "key_1", Name: hostile}}
	b := signIn(t, back, member(viewer, "dev_1"))
	for _, path := range []string{"/requests", "/requests/" + url.PathEscape(e.RequestId), "/requests/newest"} {
		page := b.page(path)
		wantNone(t, page, "<script>")
		// The bdi element confines the effect of characters that change the writing direction.
		wantAll(t, page, `<bdi>&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;`+"\u202e")
	}
	wantNone(t, b.page("/requests?"+url.Values{"route": {hostile}, "key": {hostile}, "status": {hostile}}.Encode()), "<script>")
}

func TestRequestFileContainsFilteredRequests(t *testing.T) {
	t.Parallel()
	back := withLog(10_500)
	back.logged[0].UserAgent, back.app.Name = "=cmd|' /C calc'!A0", "+1"
	b := signIn(t, back, member(viewer, "dev_1"))
	rows, err := csv.NewReader(b.get("/requests.csv?status=4xx").Body).ReadAll()
	if err != nil || len(rows) != 10_001 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range []string{
		byteOrderMark + "at,request_id,method,route,resource_id,status,error_code,duration_ms,bytes,metered,minute_left,day_left,refused_by,app,app_id,key,connection,client_address,user_agent,error_message,other_faults",
		"2026-03-01T12:00:00Z,req_0,GET,/v1/jobs/{jobId}/candidates,job_1,404,JOB_NOT_FOUND,12.345,12345,true,299,19999,,'+1,app_1,key_1,,192.0.2.7,'=cmd|' /C calc'!A0,There is no such job.,",
	} {
		if !slices.Equal(rows[i], strings.Split(want, ",")) {
			t.Errorf("row %d is %q, want %q", i, rows[i], want)
		}
	}
	if search := sent[*authv1.ListRequestsRequest](back)[0]; search.GetStatus() != "4xx" {
		t.Errorf("the file is not filtered: %v", search)
	}
}

func TestFollowReturnsNewRequestsOnce(t *testing.T) {
	t.Parallel()
	back := withLog(30)
	b := signIn(t, back, member(viewer, "dev_1"))
	const since = "2026-03-01T12:00:00.000000Z"
	wantAll(t, b.page("/requests?status=4xx"), `data-from="/requests/newest?status=4xx"`, `data-since="`+since+`"`)
	ask := func(tag string) *http.Response {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, consoleURL+"/requests/newest?status=4xx&since="+since, nil)
		r.Header.Set("If-None-Match", tag)
		return b.send(r)
	}
	first := ask("")
	rows := body(t, first)
	wantAll(t, rows, `data-id="req_0"`)
	wantNone(t, rows, "<html", `data-id="req_11"`, "data-whole")
	asked := sent[*authv1.ListRequestsRequest](back)
	if search := asked[len(asked)-1]; search.GetStatus() != "4xx" || !search.GetFrom().AsTime().Equal(now.Add(-10*time.Second)) {
		t.Errorf("listed %v", search)
	}
	tag := first.Header.Get("ETag")
	if res := ask(tag); res.StatusCode != http.StatusNotModified || body(t, res) != "" {
		t.Errorf("status %d, want 304 because there are no new requests", res.StatusCode)
	}
	fresh := entryOf(0, 0)
	fresh.RequestId = "req_new"
	back.logged = append([]*authv1.RequestEntry{fresh}, back.logged...)
	wantAll(t, body(t, ask(tag)), `data-id="req_new"`)
}

func TestFollowReplacesRowsWhenFarBehind(t *testing.T) {
	t.Parallel()
	rows := signIn(t, withLog(201), member(viewer, "dev_1")).page("/requests/newest?since=2026-03-01T11:00:00Z")
	wantAll(t, rows, `data-whole="/requests?page=200"`)
	if got := strings.Count(rows, "<tr"); got != 200 {
		t.Errorf("%d rows, want 200", got)
	}
}

func TestOnlyTheNewestRequestsCanBeFollowed(t *testing.T) {
	t.Parallel()
	b := signIn(t, withLog(60), member(viewer, "dev_1"))
	for path, want := range map[string]bool{"/requests": true, "/requests?from=2026-01-01": true, "/requests?page=50": false, "/requests?to=2026-03-01": false} {
		if got := strings.Contains(b.page(path), `id="follow"`); got != want {
			t.Errorf("%s can be followed: %v", path, got)
		}
	}
}
