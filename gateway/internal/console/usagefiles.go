package console

import (
	"net/http"
	"strconv"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// The columns of the files. Apps and keys are told by their ids: names change, and two keys
// may have the same (behaviour: console#usage-files).
var (
	dayColumns    = []string{"day", "app", "key", "requests", "metered", "refused"}
	minuteColumns = []string{"minute", "requests", "metered", "refused"}
	routeColumns  = []string{"method", "route", "requests", "failed", "server_failed", "p50_ms", "p95_ms"}
)

// usageFile gives the days of the page by app and key, whatever the page is stacked by. A day
// without requests is a row with zeros.
func (c *Console) usageFile(w http.ResponseWriter, r *http.Request, v visit) error {
	q, err := readUsageQuery(r.URL.Query(), c.Clock.Now())
	if err != nil {
		return err
	}
	found, err := c.usages.ListUsage(r.Context(), q.listUsage(v.account.GetAccountId(), authv1.UsageGrouping_USAGE_GROUPING_KEY))
	if err != nil {
		return err
	}
	rows := [][]string{dayColumns}
	used := newDayCounts(q, found.GetUsage(), nil)
	for i := len(used.days) - 1; i >= 0; i-- {
		day := used.days[i].Format(time.DateOnly)
		for _, u := range used.byDay[day] {
			key := u.GetApiKeyId()
			if key == "" {
				key = anyToken
			}
			rows = append(rows, []string{day, u.GetAppId(), key, number(u.GetRequests()), number(u.GetMetered()), number(u.GetRefused())})
		}
		if len(used.byDay[day]) == 0 {
			rows = append(rows, []string{day, "", "", "0", "0", "0"})
		}
	}
	return sendCSV(w, "usage-"+fileDays(q)+".csv", rows)
}

// minutesFile gives the last hour of the page.
func (c *Console) minutesFile(w http.ResponseWriter, r *http.Request, v visit) error {
	q, err := readUsageQuery(r.URL.Query(), c.Clock.Now())
	if err != nil {
		return err
	}
	found, err := c.usages.ListUsageByMinute(r.Context(), q.listMinutes(v.account.GetAccountId()))
	if err != nil {
		return err
	}
	rows := [][]string{minuteColumns}
	for _, m := range minuteRows(found.GetMinutes()) {
		rows = append(rows, []string{m.At.UTC().Format(time.RFC3339), number(m.Requests), number(m.Metered), number(m.Refused)})
	}
	return sendCSV(w, "usage-by-minute.csv", rows)
}

// routesFile gives the routes of the page, by route and method.
func (c *Console) routesFile(w http.ResponseWriter, r *http.Request, v visit) error {
	q, err := readUsageQuery(r.URL.Query(), c.Clock.Now())
	if err != nil {
		return err
	}
	found, err := c.usages.ListRouteStats(r.Context(), q.listRoutes(v.account.GetAccountId()))
	if err != nil {
		return err
	}
	rows := [][]string{routeColumns}
	for _, s := range found.GetRoutes() {
		rows = append(rows, []string{
			s.GetMethod(), s.GetRoute(), number(s.GetRequests()), number(s.GetFailed()), number(s.GetServerFailed()),
			milliseconds(s.GetP50().AsDuration()), milliseconds(s.GetP95().AsDuration()),
		})
	}
	return sendCSV(w, "usage-by-route-"+fileDays(q)+".csv", rows)
}

func fileDays(q usageQuery) string {
	return q.first.Format(time.DateOnly) + "-to-" + q.last.Format(time.DateOnly)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64)
}
