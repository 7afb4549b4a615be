package console

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestUsageIsAPlotATableAndAFileWithTheSameNumbers(t *testing.T) {
	t.Parallel()
	u := newUsed()
	u.rows = []*authv1.Usage{
		{Day: today, AppId: "app_1", ApiKeyId: liveKey, Requests: 1_200, Metered: 1_100, Failed: 30, Refused: 20},
		{Day: today, AppId: "app_1", Requests: 34, Metered: 34},
		{Day: "2026-02-27", AppId: "app_1", ApiKeyId: liveKey, Requests: 5, Metered: 5},
	}
	b := u.at(t)
	page := body(t, b.get("/usage?by=key&period=7"))
	for _, want := range []string{
		`role="img"`, `<title id="requests-per-day-title">Requests per day</title>`, `<title id="the-last-hour-title">The last hour</title>`,
		`aria-label="Sunday, 1 March (today, so far): 1,234. &lt;b&gt;Web: ats: 1,200. &lt;b&gt;Web: Tokens and links: 34."`,
		"Quota of a day: 20,000", "Limit of a minute: 300", `href="/usage.csv?period=7">Download CSV</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	rows := rowsOfTable(t, page, "Requests per day")
	if want := []string{
		"Day|App|Key|Requests|Metered|Failed|Refused", "1 Mar 2026|All apps||1,234|1,134|30|20", "1 Mar 2026|<b>Web|ats|1,200|1,100|30|20",
		"1 Mar 2026|<b>Web|Tokens and links|34|34|0|0", "28 Feb 2026|||0|0|0|0", "27 Feb 2026|<b>Web|ats|5|5|0|0",
	}; !slices.Equal(rows[:len(want)], want) || len(rows) != 1+7+2 {
		t.Errorf("the table is\n%s", strings.Join(rows, "\n"))
	}
	want := `day,app,key,requests,metered,refused
2026-03-01,app_1,key_1,1200,1100,20
2026-03-01,app_1,token,34,34,0
2026-02-28,,,0,0,0
2026-02-27,app_1,key_1,5,5,0
2026-02-26,,,0,0,0
2026-02-25,,,0,0,0
2026-02-24,,,0,0,0
2026-02-23,,,0,0,0
`
	res := b.get("/usage.csv?period=7")
	if got := body(t, res); got != byteOrderMark+want || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("the file is\n%s", got)
	}
}

func TestUsageIsFilteredByAppKeyAndPeriod(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]*authv1.ListUsageRequest{
		"":                               {FromDay: "2026-01-31", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP},
		"?period=7&by=status":            {FromDay: "2026-02-23", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_STATUS},
		"?period=90&app=app_1&key=key_1": {FromDay: "2025-12-02", AppId: "app_1", ApiKeyId: "key_1", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP},
		"?key=token&by=key":              {FromDay: "2026-01-31", ApiKeyId: "token", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_KEY},
		"?app=app_1&key=" + goneKey:      {FromDay: "2026-01-31", AppId: "app_1", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP},
		"?app=app_9":                     {FromDay: "2026-01-31", AppId: "app_9", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP},
	} {
		u := newUsed()
		page := body(t, u.at(t).get("/usage"+query))
		if len(u.asks) != 1 {
			t.Fatalf("%q: auth was asked %d times: %s", query, len(u.asks), page)
		}
		got := u.asks[0]
		if got.GetAccountId() != "dev_1" || got.GetFromDay() != want.GetFromDay() || got.GetToDay() != today || got.GetAppId() != want.GetAppId() ||
			got.GetApiKeyId() != want.GetApiKeyId() || got.GetGroupBy() != want.GetGroupBy() {
			t.Errorf("%q asks for %v", query, got)
		}
		if want.GetAppId() != "" && !strings.Contains(page, `<option value="`+want.GetAppId()+`" selected>`) {
			t.Errorf("%q: the form does not have the app", query)
		}
	}
	b := newUsed().at(t)
	for _, query := range []string{"?period=8", "?period=x", "?by=route"} {
		for _, path := range []string{"/usage", "/usage.csv", "/usage/minutes.csv", "/usage/routes.csv"} {
			if res := b.get(path + query); res.StatusCode != http.StatusBadRequest {
				t.Errorf("%s%s: %d", path, query, res.StatusCode)
			}
		}
	}
}

func TestWhatWasDeletedKeepsItsName(t *testing.T) {
	t.Parallel()
	u := newUsed()
	for key, app := range map[string]string{goneKey: "app_2", "key_9": "app_9", "key_3": "app_1", "key_4": "app_1"} {
		u.rows = append(u.rows, &authv1.Usage{Day: today, AppId: app, ApiKeyId: key, Requests: 1})
	}
	page := body(t, u.at(t).get("/usage?by=key"))
	rows := rowsOfTable(t, page, "Requests per day")
	for _, want := range []string{"Old (deleted)|sync (deleted)|1|", "app_9|key_9|1|", "<b>Web|twin …aaaa|1|", "<b>Web|twin …bbbb|1|"} {
		if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, want) }) {
			t.Errorf("no row has %s:\n%s", want, strings.Join(rows, "\n"))
		}
	}
	if strings.Contains(page, "Ancient") || strings.Contains(page, "<b>Web") {
		t.Error("the page offers an app that cannot have usage, or does not escape a name")
	}
}

func TestEachStatusIsCountedOnce(t *testing.T) {
	t.Parallel()
	u := newUsed()
	u.rows = []*authv1.Usage{{Day: today, AppId: "app_1", Requests: 100, Metered: 90, Failed: 40, Refused: 10, Redirected: 25, ServerFailed: 5}}
	rows := rowsOfTable(t, body(t, u.at(t).get("/usage?by=status&period=7")), "Requests per day")
	if rows[0] != "Day|Requests|2xx|3xx|Other 4xx|Refused (429)|5xx|Metered" || rows[1] != "1 Mar 2026|100|35|25|25|10|5|90" || rows[2] != "28 Feb 2026|0|0|0|0|0|0|0" {
		t.Errorf("%s", strings.Join(rows, "\n"))
	}
}

func TestManyKeysAreFoldedInThePlotAndNowhereElse(t *testing.T) {
	t.Parallel()
	u := newUsed()
	for day := range 90 {
		for key := range 50 {
			u.rows = append(u.rows, &authv1.Usage{Day: now.AddDate(0, 0, -day).Format(time.DateOnly), AppId: "app_1", ApiKeyId: fmt.Sprintf("key_%02d", key), Requests: int64(key + 1)})
		}
	}
	b := u.at(t)
	page := body(t, b.get("/usage?by=key&period=90"))
	if n := strings.Count(page, `class="swatch"`); n != 8+3 || !strings.Contains(page, "Others") {
		t.Errorf("the legends have %d entries", n)
	}
	if rows := rowsOfTable(t, page, "Requests per day"); len(rows) != 1+90*(1+50) {
		t.Errorf("the table has %d rows", len(rows))
	}
	file, err := csv.NewReader(b.get("/usage.csv?period=90").Body).ReadAll()
	if err != nil || len(file) != 1+90*50 {
		t.Errorf("the file has %d rows, %v", len(file), err)
	}
}

func TestTheLastHourIsCountedAgainstTheLimit(t *testing.T) {
	t.Parallel()
	u := newUsed()
	u.hour[58].Requests, u.hour[58].Metered, u.hour[58].Refused = 310, 300, 7
	b := u.at(t)
	page := body(t, b.get("/usage"))
	if want := `aria-label="11:59 UTC: 310. Metered: 300. Not metered: 3. Refused by a limit: 7."`; !strings.Contains(page, want) {
		t.Errorf("the plot does not say %s", want)
	}
	if rows := rowsOfTable(t, page, "Requests per minute"); len(rows) != 61 || !strings.HasSuffix(rows[2], "|310|300|7") {
		t.Errorf("%d rows, %q", len(rows), rows[2])
	}
	if file := body(t, b.get("/usage/minutes.csv")); !strings.HasPrefix(file, byteOrderMark+"minute,requests,metered,refused\n2026-03-01T12:00:00Z,0,0,0\n2026-03-01T11:59:00Z,310,300,7\n") {
		t.Errorf("the file is %s", file)
	}
}

func TestRoutesTellErrorsAndLatencyWithTheBusiestFirst(t *testing.T) {
	t.Parallel()
	u := newUsed()
	u.stats = []*authv1.RouteStats{
		{Method: "GET", Route: "/v1/companies", Requests: 2, P50: durationpb.New(1500 * time.Microsecond), P95: durationpb.New(1200 * time.Millisecond)},
		{Method: "GET", Route: "/v1/jobs", Requests: 12_000, Failed: 3, ServerFailed: 1, P50: durationpb.New(20 * time.Millisecond), P95: durationpb.New(41 * time.Millisecond)},
	}
	b := u.at(t)
	rows := rowsOfTable(t, body(t, b.get("/usage")), "Errors and latency by route")
	if rows[1] != "GET /v1/jobs|12,000|< 0.1%|1|20 ms|41 ms|" || rows[2] != "GET /v1/companies|2|0%|0|1.5 ms|1.2 s|" {
		t.Errorf("%s", strings.Join(rows, "\n"))
	}
	want := byteOrderMark + "method,route,requests,failed,server_failed,p50_ms,p95_ms\nGET,/v1/companies,2,0,0,1.5,1200.0\nGET,/v1/jobs,12000,3,1,20.0,41.0\n"
	if file := body(t, b.get("/usage/routes.csv")); file != want {
		t.Errorf("the file is %s", file)
	}
}

func TestSharesAreNotRoundedToNothingOrAll(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		n, all int64
		want   string
	}{{0, 0, "0%"}, {0, 9, "0%"}, {1, 100_000, "< 0.1%"}, {1, 8, "12.5%"}, {99_999, 100_000, "> 99.9%"}, {5, 5, "100%"}} {
		if got := percent(one.n, one.all); got != one.want {
			t.Errorf("%d of %d is %s", one.n, one.all, got)
		}
	}
}

func TestAFileOfUsageHoldsNoFormula(t *testing.T) {
	t.Parallel()
	u := newUsed()
	u.rows = []*authv1.Usage{{Day: today, AppId: "=cmd()", ApiKeyId: "+1", Requests: 1}}
	if file := body(t, u.at(t).get("/usage.csv?period=7")); !strings.Contains(file, "2026-03-01,'=cmd(),'+1,1,0,0\n") {
		t.Errorf("%s", file)
	}
}

func TestUsageIsKeptByNoCache(t *testing.T) {
	t.Parallel()
	b := newUsed().at(t)
	for _, path := range []string{"/usage", "/usage.csv", "/usage/minutes.csv", "/usage/routes.csv"} {
		if res := b.get(path); res.StatusCode != http.StatusOK || res.Header.Get("Cache-Control") != "no-store" || !strings.Contains(res.Header.Get("Content-Security-Policy"), "script-src 'self'") {
			t.Errorf("%s: %d, %v", path, res.StatusCode, res.Header)
		}
	}
}
