package console

import (
	"encoding/csv"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

const viewer = optionsv1.Role_ROLE_VIEWER

func TestTheRequestLogIsReadNewestFirstPageByPage(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(2*requestsPerPage + 1)
	b := signedIn(t, back, member(viewer, "dev_1"))
	next, pages := "/requests", 0
	var seen []string
	for ; next != ""; pages++ {
		page := body(t, b.get(next))
		for _, part := range strings.Split(page, `data-id="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			seen = append(seen, id)
		}
		_, after, more := strings.Cut(page, `id="older" href="`)
		if next = ""; more {
			address, _, _ := strings.Cut(after, `"`)
			next = html.UnescapeString(address)
		}
	}
	if pages != 3 || len(seen) != len(back.logged) {
		t.Fatalf("%d pages with %d requests", pages, len(seen))
	}
	for i, e := range back.logged {
		if seen[i] != e.GetRequestId() {
			t.Fatalf("row %d is %s, want %s", i, seen[i], e.GetRequestId())
		}
	}
}

func TestAPageOnWhichASearchStoppedLeadsOn(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.stops, back.logged = 1, entriesOf(2)
	b := signedIn(t, back, member(viewer, "dev_1"))
	page := body(t, b.get("/requests?resource-id=job_1"))
	for _, want := range []string{
		"No request matches so far.", `Searched back to <time datetime="2026-03-01T12:00:00.000000Z">1 Mar 12:00:00.000</time> UTC.`,
		`id="older" href="/requests?page=0&amp;resource-id=job_1" rel="next">Search further back<`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	back.stops = 1
	if rows := body(t, b.get("/requests/newest?resource-id=job_1")); strings.Contains(rows, "data-whole") {
		t.Error("a page that follows is told to drop what it shows")
	}
	back.stops = 1
	if rows := strings.Count(body(t, b.get("/requests.csv?resource-id=job_1")), "\n"); rows != 3 {
		t.Errorf("the file has %d lines", rows)
	}
	back.stops = fileSearches
	rows, err := csv.NewReader(b.get("/requests.csv?resource-id=job_1").Body).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][0] != "Searched back to 2026-03-01T12:00:00.000000Z" {
		t.Errorf("the file of a search that stopped: %q, %v", rows, err)
	}
	back.logged = nil
	if page := body(t, b.get("/requests?resource-id=job_1&page=0")); !strings.Contains(page, "No older request matches") {
		t.Error("the end of a search is not told apart from a search that found nothing")
	}
}

func TestEveryFilterOfTheRequestLogStandsInItsAddressAndReachesAuth(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(requestsPerPage + 1)
	b := signedIn(t, back, member(viewer, "dev_1"))
	address := "/requests?" + url.Values{
		"app": {"app_1"}, "key": {"token"}, "status": {"4XX"}, "error-code": {"job_not_found"}, "method": {"get"}, "route": {"/v1/jobs/{jobId}"},
		"resource-id": {"job_1"}, "from": {"2026-02-28"}, "to": {"2026-03-01T13:00"},
	}.Encode()
	page := body(t, b.get(address))
	want := &authv1.ListRequestsRequest{
		AccountId: "dev_1", AppId: "app_1", ApiKeyId: "token", Status: "4xx", ErrorCode: "JOB_NOT_FOUND", Method: "GET", Route: "/v1/jobs/{jobId}", ResourceId: "job_1",
		From: timestamppb.New(time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)), To: timestamppb.New(time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)), PageSize: requestsPerPage,
	}
	if got := back.searches[0]; !proto.Equal(got, want) {
		t.Errorf("asked for %v, want %v", got, want)
	}
	filter := html.EscapeString(strings.TrimPrefix(address, "/requests?"))
	for _, link := range []string{`id="refresh" href="/requests?` + filter + `"`, `href="/requests.csv?` + filter + `"`} {
		if !strings.Contains(page, link) {
			t.Errorf("the page has no %s", link)
		}
	}
	_, after, _ := strings.Cut(page, `id="older" href="/requests?`)
	text, _, _ := strings.Cut(after, `"`)
	older, err := url.ParseQuery(html.UnescapeString(text))
	if err != nil || older.Get("page") != "50" || older.Get("status") != "4XX" || older.Get("resource-id") != "job_1" {
		t.Errorf("older requests are at %v", older)
	}
	for _, shown := range []string{`value="4XX"`, `value="2026-02-28T00:00:00"`, `<option value="token" selected>`, `value="/v1/jobs/{jobId}"`, `<option value="GET" selected>`} {
		if !strings.Contains(page, shown) {
			t.Errorf("the form does not show %s", shown)
		}
	}
}

func TestAFormWithEmptyFieldsLeadsToAShortAddress(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(viewer, "dev_1"))
	res := b.get("/requests?app=&key=&status=4xx&error-code=&from=&request-id=")
	if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/requests?status=4xx" {
		t.Errorf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	if res := b.get("/requests?app=&key="); res.Header.Get("Location") != "/requests" {
		t.Errorf("to %q", res.Header.Get("Location"))
	}
}

func TestABadFilterIsToldAtItsFieldAndNothingIsLost(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(viewer, "dev_1"))
	res := b.get("/requests?status=teapot&from=yesterday&to=2026-13-01&route=%2Fv1%2Fme&app=app_gone&key=key_gone&method=PUT")
	page := body(t, res)
	if res.StatusCode != http.StatusUnprocessableEntity || len(back.searches) != 0 {
		t.Errorf("%d after %d searches", res.StatusCode, len(back.searches))
	}
	for _, want := range []string{
		`id="status-fault">` + noStatus, `id="from-fault">` + noMoment, `id="to-fault">` + noMoment, `value="teapot"`, `type="text" value="yesterday"`, `type="text" value="2026-13-01"`,
		`value="/v1/me"`, `<option value="app_gone" selected>`, `<option value="key_gone" selected>`, `<option value="PUT" selected>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	back.fail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "to", Description: "must not be before from"})
	page = body(t, b.get("/requests?from=2026-03-01&to=2026-02-01"))
	if !strings.Contains(page, `id="to-fault">Must not be before from.`) || !strings.Contains(page, `value="2026-02-02T00:00:00"`) {
		t.Error("what auth says of a filter is not told at its field")
	}
}

func TestAnAddressThatIsBrokenIsNoFaultOfTheConsole(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(viewer, "dev_1"))
	for path, want := range map[string]int{
		"/requests?route=%ff": http.StatusOK, "/requests?status=%ff": http.StatusUnprocessableEntity, "/requests/%ff": http.StatusNotFound,
		"/requests/" + strings.Repeat("x", 101): http.StatusNotFound, "/requests?status=4xx&page=%ff": http.StatusSeeOther, "/requests.csv?route=%ff": http.StatusOK,
		"/requests?from=99999-01-01": http.StatusUnprocessableEntity, "/requests?to=9999-12-31": http.StatusUnprocessableEntity, "/requests/newest?since=%ff": http.StatusOK,
	} {
		if res := b.get(path); res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
	for _, search := range back.searches {
		if _, err := proto.Marshal(search); err != nil {
			t.Errorf("auth was sent what cannot be sent: %v", err)
		}
	}
	if res := b.get("/requests?status=4xx&page=broken"); res.Header.Get("Location") != "/requests?status=4xx" {
		t.Errorf("to %q", res.Header.Get("Location"))
	}
}

func TestARequestIDLeadsToItsRequest(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(1)
	b := signedIn(t, back, member(viewer, "dev_1"))
	if res := b.get("/requests?app=&status=&request-id=+req_0+"); res.Header.Get("Location") != "/requests?request-id=req_0" {
		t.Errorf("to %q", res.Header.Get("Location"))
	}
	if res := b.get("/requests?request-id=req_0"); res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/requests/req_0" {
		t.Errorf("%d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	res := b.get("/requests?status=4xx&request-id=req_9")
	if page := body(t, res); res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(page, `id="request-id-fault"`) || !strings.Contains(page, `value="req_9"`) || !strings.Contains(page, `value="4xx"`) {
		t.Errorf("%d for an unknown one", res.StatusCode)
	}
	if res := b.get("/requests/req_9"); res.StatusCode != http.StatusNotFound || !strings.Contains(body(t, res), "The log has no such request") {
		t.Errorf("%d", res.StatusCode)
	}
}

func TestARequestThatTheLogLacksIsSaidToBePerhapsOfAKeyThatHasEnded(t *testing.T) {
	t.Parallel()
	const told = "Requests with an expired, deleted or unknown key or token aren’t logged. Check "
	b := signedIn(t, newBackend(), member(viewer, "dev_1"))
	for _, path := range []string{"/requests?request-id=req_9", "/requests/req_9", "/requests/" + strings.Repeat("x", 101)} {
		if page := body(t, b.get(path)); !strings.Contains(page, told+`<a href="/apps/app_1/keys">API keys</a> for keys that have ended.`) {
			t.Errorf("%s does not say so", path)
		}
	}
	if page := body(t, newWatched().visitor(t, viewer).get("/requests/req_9")); !strings.Contains(page, told+`<a href="/apps">the API keys of your apps</a>`) {
		t.Error("of several apps one is chosen")
	}
	if page := body(t, b.get("/requests")); strings.Contains(page, told) {
		t.Error("the list says so too")
	}
}

func TestARequestIsExplained(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(1)
	back.keys = []*authv1.ApiKey{{Id: "key_1", Name: "ats <i>", DeletedAt: timestamppb.New(now)}}
	b := signedIn(t, back, member(viewer, "dev_1"))
	page := body(t, b.get("/requests/req_0"))
	for _, want := range []string{
		"<code>/v1/jobs/job_1/candidates</code>", ">404<", `id="message">There is no such job.<`, "No job with this id.", appURL + "/docs/errors/JOB_NOT_FOUND", "1 Mar 2026 12:00:00.000</time> UTC",
		"<dd>12 ms</dd>", "12,345 bytes", "<dd>yes</dd>", "<dd>299 of 300</dd>", "<dd>19,999 of 20,000</dd>", "192.0.2.7", "curl/8.9", `<a href="/apps/app_1/keys"><bdi>ats &lt;i&gt; (deleted)</bdi></a>`,
		`href="/requests?key=key_1"`, `href="/requests?method=GET&amp;route=%2Fv1%2Fjobs%2F%7BjobId%7D%2Fcandidates"`, `href="/requests?resource-id=job_1"`, `href="/requests?error-code=JOB_NOT_FOUND"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	e := back.logged[0]
	e.ApiKeyId, e.ConnectionId, e.MinuteLeft, e.DayLeft, e.RefusedBy, e.Metered, e.ErrorCode, e.ResourceId = "", "con_1", nil, nil, "user_token_burst", false, "UNHEARD_OF", ""
	page = body(t, b.get("/requests/req_0"))
	for _, want := range []string{"<code>con_1</code>", "<dd>not known</dd>", "bursts of the connection", "<dd>no</dd>", "<code>/v1/jobs/{jobId}/candidates</code>", "<code>UNHEARD_OF</code>", `href="/requests?app=app_1&amp;key=token"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of a token's request lacks %s", want)
		}
	}
}

func TestTheLogSaysWhyARequestFailed(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(6)
	for i, e := range back.logged {
		if e.ErrorCode, e.Status, e.Method, e.Route = "PUBLIC_API_VALIDATION_ERROR", 400, "POST", "/v1/companies"; i < 3 {
			e.ErrorMessage, e.OtherFaults = "name: must not be blank", []string{"location: is required"}
		}
	}
	back.logged[5].Status, back.logged[5].ErrorCode, back.logged[5].ErrorMessage = 200, "", ""
	back.logged[4].ErrorMessage = "name: <b>"
	b := signedIn(t, back, member(viewer, "dev_1"))
	page := body(t, b.get("/requests"))
	for want, times := range map[string]int{
		`<bdi class="why" title="name: must not be blank">name: must not be blank</bdi>`:  3,
		`>3 × 400 <code>POST /v1/companies</code></a> <bdi>name: must not be blank</bdi>`: 1,
		" × ": 1, "<bdi>name: &lt;b&gt;</bdi>": 0, "name: &lt;b&gt;</bdi>": 1,
	} {
		if got := strings.Count(page, want); got != times {
			t.Errorf("%s is there %d times, want %d", want, got, times)
		}
	}
	if page := body(t, b.get("/requests/req_0")); !strings.Contains(page, `id="message">name: must not be blank<`) || !strings.Contains(page, "<li><bdi>location: is required</bdi></li>") {
		t.Error("the page of a request does not name its faults")
	}
}

func TestEveryPublicCodeIsExplainedByTheGuideToErrors(t *testing.T) {
	t.Parallel()
	explained, err := readErrorDocs(docs.Files, appURL)
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range answer.Codes() {
		if doc := explained[code]; len(doc.Text) < 10 || strings.ContainsAny(string(doc.Text), "`|") {
			t.Errorf("%s: %q", code, doc.Text)
		}
	}
}

func TestHostileTextsInTheLogAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(1)
	hostile := `"><script>alert(1)</script>` + "\u202e" + strings.Repeat("x", 150)
	e := back.logged[0]
	e.UserAgent, e.ResourceId, e.ErrorCode, e.Route, e.Method, e.ClientAddress = hostile, hostile, hostile, hostile, hostile, hostile
	e.ErrorMessage, e.OtherFaults = hostile, []string{hostile}
	e.RequestId = `req_"><script>`
	back.app.Name = hostile
	back.keys = []*authv1.ApiKey{{Id: "key_1", Name: hostile}}
	b := signedIn(t, back, member(viewer, "dev_1"))
	hostilePath := "/requests?" + url.Values{"route": {hostile}, "key": {hostile}, "status": {hostile}}.Encode()
	for _, path := range []string{
		"/requests", requestPath(e.RequestId), "/requests/newest", hostilePath,
	} {
		page := body(t, b.get(path))
		if strings.Contains(page, "<script>") {
			t.Errorf("%s lets markup through", path)
		}
		// Marks of direction end with the element.
		turned, apart := strings.Count(page, "script&gt;\u202e"), strings.Count(page, `<bdi>&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;`+"\u202e")
		if path != hostilePath && (turned == 0 || apart == 0) {
			t.Errorf("%s: %d of %d are apart", path, apart, turned)
		}
	}
}

func TestTheRequestLogAsAFileHoldsTheFilteredRequestsAndNoFormula(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(fileRows + 500)
	back.logged[0].UserAgent, back.app.Name = "=cmd|' /C calc'!A0", "+1"
	b := signedIn(t, back, member(viewer, "dev_1"))
	res := b.get("/requests.csv?status=4xx")
	rows, err := csv.NewReader(res.Body).ReadAll()
	if err != nil || len(rows) != fileRows+1 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/csv") {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	rows[0][0] = strings.TrimPrefix(rows[0][0], byteOrderMark)
	if !slices.Equal(rows[0], requestColumns) {
		t.Errorf("%v", rows[0])
	}
	want := []string{
		"2026-03-01T12:00:00Z", "req_0", "GET", "/v1/jobs/{jobId}/candidates", "job_1", "404", "JOB_NOT_FOUND", "12.345", "12345", "true", "299", "19999", "",
		"'+1", "app_1", "key_1", "", "192.0.2.7", "'=cmd|' /C calc'!A0", "There is no such job.", "",
	}
	if !slices.Equal(rows[1], want) {
		t.Errorf("%q\nwant %q", rows[1], want)
	}
	if search := back.searches[0]; search.GetStatus() != "4xx" {
		t.Errorf("the file is not filtered: %v", search)
	}
	if res := b.get("/requests.csv?status=teapot"); res.StatusCode != http.StatusBadRequest {
		t.Errorf("%d for a filter that is none", res.StatusCode)
	}
}
