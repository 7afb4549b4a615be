package console_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const today = "2026-03-01"

// inUse returns a backend with three apps, two of which are deleted, and their keys.
func inUse() *backend {
	b := newBackend()
	gone := timestamppb.New(now.Add(-24 * time.Hour))
	b.apps = []*authv1.ListedApp{
		{App: &authv1.App{Id: "app_1", Name: `<b>Web`}}, {App: &authv1.App{Id: "app_2", Name: "Old", DeletedAt: gone}},
		{App: &authv1.App{Id: "app_3", Name: "Ancient", DeletedAt: timestamppb.New(now.AddDate(-1, 0, 0))}},
	}
	b.byApp["app_1"] = []*authv1.ApiKey{{Id: "key_1", AppId: "app_1", Name: "ats"}, {Id: "key_3", AppId: "app_1", Name: "twin", Hint: "aaaa"}, {Id: "key_4", AppId: "app_1", Name: "twin", Hint: "bbbb"}}
	b.byApp["app_2"] = []*authv1.ApiKey{{Id: "key_2", AppId: "app_2", Name: "sync", DeletedAt: gone}}
	for i := range 60 {
		b.minutes = append(b.minutes, &authv1.MinuteUsage{Minute: timestamppb.New(now.Add(time.Duration(i-59) * time.Minute))})
	}
	return b
}

// rowsOf returns the rows of the table with the given caption. Cells are separated by "|".
func rowsOf(t *testing.T, page, caption string) (rows []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for table := range root.Descendants() {
		if table.Data != "table" || !strings.HasPrefix(textOf(table), caption) {
			continue
		}
		for row := range table.Descendants() {
			if row.Data != "tr" {
				continue
			}
			var cells []string
			for cell := range row.ChildNodes() {
				if cell.Data == "td" || cell.Data == "th" {
					cells = append(cells, textOf(cell))
				}
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		return rows
	}
	t.Fatalf("the page has no table %q", caption)
	return nil
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for one := range n.Descendants() {
		if one.Type == html.TextNode {
			text.WriteString(one.Data)
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

func TestUsageNumbersMatchEverywhere(t *testing.T) {
	t.Parallel()
	back := inUse()
	back.usage = []*authv1.Usage{
		{Day: today, AppId: "app_1", ApiKeyId: "key_1", Requests: 1_200, Metered: 1_100, Failed: 30, Refused: 20},
		{Day: today, AppId: "app_1", Requests: 34, Metered: 34},
		{Day: "2026-02-27", AppId: "app_1", ApiKeyId: "key_1", Requests: 5, Metered: 5},
	}
	b := signIn(t, back, member(owner, "dev_1"))
	page := b.page("/usage?by=key&period=7")
	wantAll(t, page,
		`role="img"`, `<title id="requests-per-day-title">Requests per day</title>`, `<title id="the-last-hour-title">The last hour</title>`,
		`aria-label="Sunday, 1 March (today, so far): 1,234. &lt;b&gt;Web: ats: 1,200. &lt;b&gt;Web: Tokens and links: 34."`,
		"Quota of a day: 20,000", "Limit of a minute: 300", `href="/usage.csv?period=7">Download CSV</a>`)
	rows := rowsOf(t, page, "Requests per day")
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
	if got := b.page("/usage.csv?period=7"); got != byteOrderMark+want {
		t.Errorf("the file is\n%s", got)
	}
}

func TestUsageFiltersAreSentToAuth(t *testing.T) {
	t.Parallel()
	const byApp, byKey, byStatus = authv1.UsageGrouping_USAGE_GROUPING_APP, authv1.UsageGrouping_USAGE_GROUPING_KEY, authv1.UsageGrouping_USAGE_GROUPING_STATUS
	for query, want := range map[string]*authv1.ListUsageRequest{
		"":                               {FromDay: "2026-01-31", GroupBy: byApp},
		"?period=7&by=status":            {FromDay: "2026-02-23", GroupBy: byStatus},
		"?period=90&app=app_1&key=key_1": {FromDay: "2025-12-02", AppId: "app_1", ApiKeyId: "key_1", GroupBy: byApp},
		"?key=token&by=key":              {FromDay: "2026-01-31", ApiKeyId: "token", GroupBy: byKey},
		"?app=app_1&key=key_2":           {FromDay: "2026-01-31", AppId: "app_1", GroupBy: byApp}, // the key belongs to a different app
		"?app=app_9":                     {FromDay: "2026-01-31", AppId: "app_9", GroupBy: byApp},
	} {
		back := inUse()
		signIn(t, back, member(owner, "dev_1")).get("/usage" + query)
		want.AccountId, want.ToDay = "dev_1", today
		if asked := sent[*authv1.ListUsageRequest](back); len(asked) != 1 || asked[0].String() != want.String() {
			t.Errorf("%q lists %v, want %v", query, asked, want)
		}
	}
	b := signIn(t, inUse(), member(owner, "dev_1"))
	for _, query := range []string{"?period=8", "?period=x", "?by=route"} {
		for _, path := range []string{"/usage", "/usage.csv", "/usage/minutes.csv", "/usage/routes.csv"} {
			if res := b.get(path + query); res.StatusCode != http.StatusBadRequest {
				t.Errorf("%s%s: status %d", path, query, res.StatusCode)
			}
		}
	}
}

var optionTag = regexp.MustCompile(`<option value="[^"]*"( selected)?>([^<]*)</option>|<optgroup label="([^"]*)">`)

// choices returns the options of a select element. The selected option is in brackets, and group
// labels end with a colon.
func choices(page, id string) string {
	_, after, _ := strings.Cut(page, `<select id="`+id+`"`)
	list, _, _ := strings.Cut(after, "</select>")
	var all []string
	for _, m := range optionTag.FindAllStringSubmatch(list, -1) {
		switch {
		case m[3] != "":
			all = append(all, m[3]+":")
		case m[1] != "":
			all = append(all, "["+m[2]+"]")
		default:
			all = append(all, m[2])
		}
	}
	return strings.Join(all, ", ")
}

// Apps and keys that were deleted before the period are offered only if they are already selected.
func TestFiltersOfferAppsAndKeys(t *testing.T) {
	t.Parallel()
	const web, all = "&lt;b&gt;Web", "All keys, Tokens and links"
	for query, want := range map[string][2]string{
		"":                     {"[All apps], " + web + ", Old (deleted)", "[All keys], Tokens and links, " + web + ":, ats, twin …aaaa, twin …bbbb, Old (deleted):, sync (deleted)"},
		"?app=app_1&key=key_4": {"All apps, [" + web + "], Old (deleted)", all + ", " + web + ":, ats, twin …aaaa, [twin …bbbb]"},
		"?app=app_9&key=token": {"All apps, " + web + ", Old (deleted), [app_9]", "All keys, [Tokens and links]"},
		"?app=app_3":           {"All apps, " + web + ", Old (deleted), [Ancient (deleted)]", "[All keys], Tokens and links"},
		"?key=key_9":           {"[All apps], " + web + ", Old (deleted)", all + ", [key_9], " + web + ":, ats, twin …aaaa, twin …bbbb, Old (deleted):, sync (deleted)"},
	} {
		page := signIn(t, inUse(), member(owner, "dev_1")).page("/usage" + query)
		if got := [2]string{choices(page, "app"), choices(page, "key")}; got != want {
			t.Errorf("%q offers\n%q, want\n%q", query, got, want)
		}
	}
}

func TestDeletedAppsAndKeysKeepTheirNames(t *testing.T) {
	t.Parallel()
	back := inUse()
	back.apps = append(back.apps, &authv1.ListedApp{App: &authv1.App{Id: "app_01jdaaaa", Name: "Twin"}}, &authv1.ListedApp{App: &authv1.App{Id: "app_01jdbbbb", Name: "Twin"}})
	for key, app := range map[string]string{"key_2": "app_2", "key_9": "app_9", "key_3": "app_1", "key_4": "app_1", "": "app_01jdaaaa"} {
		back.usage = append(back.usage, &authv1.Usage{Day: today, AppId: app, ApiKeyId: key, Requests: 1})
	}
	page := signIn(t, back, member(owner, "dev_1")).page("/usage?by=key")
	rows := strings.Join(rowsOf(t, page, "Requests per day"), "\n")
	wantAll(t, rows, "Old (deleted)|sync (deleted)|1|", "app_9|key_9|1|", "<b>Web|twin …aaaa|1|", "<b>Web|twin …bbbb|1|", "Twin …aaaa|Tokens and links|1|")
	wantNone(t, page, "<b>Web")
}

func TestEachStatusIsCountedOnce(t *testing.T) {
	t.Parallel()
	back := inUse()
	back.usage = []*authv1.Usage{{Day: today, AppId: "app_1", Requests: 100, Metered: 90, Failed: 40, Refused: 10, Redirected: 25, ServerFailed: 5}}
	rows := rowsOf(t, signIn(t, back, member(owner, "dev_1")).page("/usage?by=status&period=7"), "Requests per day")
	if rows[0] != "Day|Requests|2xx|3xx|Other 4xx|Refused (429)|5xx|Metered" || rows[1] != "1 Mar 2026|100|35|25|25|10|5|90" || rows[2] != "28 Feb 2026|0|0|0|0|0|0|0" {
		t.Errorf("the table is\n%s", strings.Join(rows, "\n"))
	}
}

func TestManyKeysAreSummedInThePlotOnly(t *testing.T) {
	t.Parallel()
	back := inUse()
	for day := range 90 {
		for key := range 50 {
			back.usage = append(back.usage, &authv1.Usage{Day: now.AddDate(0, 0, -day).Format(time.DateOnly), AppId: "app_1", ApiKeyId: fmt.Sprintf("key_%02d", key), Requests: int64(key + 1)})
		}
	}
	b := signIn(t, back, member(owner, "dev_1"))
	page := b.page("/usage?by=key&period=90")
	if n := strings.Count(page, `class="swatch"`); n != 8+3 || !strings.Contains(page, "Others") {
		t.Errorf("the legends have %d entries, want 11 with Others", n)
	}
	if rows := rowsOf(t, page, "Requests per day"); len(rows) != 1+90*(1+50) {
		t.Errorf("the table has %d rows, want one per day and key", len(rows))
	}
	file, err := csv.NewReader(b.get("/usage.csv?period=90").Body).ReadAll()
	if err != nil || len(file) != 1+90*50 {
		t.Errorf("the file has %d rows, %v", len(file), err)
	}
}

func TestLastHourIsShownByMinute(t *testing.T) {
	t.Parallel()
	back := inUse()
	back.minutes[58].Requests, back.minutes[58].Metered, back.minutes[58].Refused = 310, 300, 7
	b := signIn(t, back, member(owner, "dev_1"))
	page := b.page("/usage")
	wantAll(t, page, `aria-label="11:59 UTC: 310. Metered: 300. Not metered: 3. Refused by a limit: 7."`)
	if rows := rowsOf(t, page, "Requests per minute"); len(rows) != 61 || !strings.HasSuffix(rows[2], "|310|300|7") {
		t.Errorf("%d rows, %q", len(rows), rows[2])
	}
	if file := b.page("/usage/minutes.csv"); !strings.HasPrefix(file, byteOrderMark+"minute,requests,metered,refused\n2026-03-01T12:00:00Z,0,0,0\n2026-03-01T11:59:00Z,310,300,7\n") {
		t.Errorf("the file is %s", file)
	}
}

func TestBusiestRouteIsFirst(t *testing.T) {
	t.Parallel()
	back := inUse()
	back.routes = []*authv1.RouteStats{
		{Method: "GET", Route: "/v1/companies", Requests: 2, P50: durationpb.New(1500 * time.Microsecond), P95: durationpb.New(1200 * time.Millisecond)},
		{Method: "GET", Route: "/v1/jobs", Requests: 12_000, Failed: 3, ServerFailed: 1, P50: durationpb.New(20 * time.Millisecond), P95: durationpb.New(41 * time.Millisecond)},
	}
	b := signIn(t, back, member(owner, "dev_1"))
	rows := rowsOf(t, b.page("/usage"), "Errors and latency by route")
	if rows[1] != "GET /v1/jobs|12,000|< 0.1%|1|20 ms|41 ms|" || rows[2] != "GET /v1/companies|2|0%|0|1.5 ms|1.2 s|" {
		t.Errorf("the table is\n%s", strings.Join(rows, "\n"))
	}
	want := byteOrderMark + "method,route,requests,failed,server_failed,p50_ms,p95_ms\nGET,/v1/companies,2,0,0,1.5,1200.0\nGET,/v1/jobs,12000,3,1,20.0,41.0\n"
	if file := b.page("/usage/routes.csv"); file != want {
		t.Errorf("the file is %s", file)
	}
}
