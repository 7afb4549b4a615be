package usage

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// dayFile sends the usage per day, by app and key. A day without requests is a row of zeros. Apps
// and keys are identified by their ids, because names may change and need not be unique
// (behaviour: console#usage-files).
func (h handlers) dayFile(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q, err := readQuery(r.URL.Query(), h.Clock.Now())
	if err != nil {
		return err
	}
	found, err := h.usages.ListUsage(r.Context(), q.listUsage(v.AccountID(), authv1.UsageGrouping_USAGE_GROUPING_KEY))
	if err != nil {
		return err
	}
	rows := [][]string{{"day", "app", "key", "requests", "metered", "refused"}}
	used := newDayCounts(q, found.GetUsage(), nil)
	for _, at := range slices.Backward(used.days) {
		day := at.Format(time.DateOnly)
		for _, u := range used.byDay[day] {
			rows = append(rows, []string{day, u.GetAppId(), cmp.Or(u.GetApiKeyId(), shell.AnyToken), number(u.GetRequests()), number(u.GetMetered()), number(u.GetRefused())})
		}
		if len(used.byDay[day]) == 0 {
			rows = append(rows, []string{day, "", "", "0", "0", "0"})
		}
	}
	return shell.SendCSV(w, "usage-"+fileDays(q)+".csv", rows)
}

// minuteFile sends the usage of the last hour by minute.
func (h handlers) minuteFile(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q, err := readQuery(r.URL.Query(), h.Clock.Now())
	if err != nil {
		return err
	}
	found, err := h.usages.ListUsageByMinute(r.Context(), q.listMinutes(v.AccountID()))
	if err != nil {
		return err
	}
	rows := [][]string{{"minute", "requests", "metered", "refused"}}
	for _, m := range minuteRows(found.GetMinutes()) {
		rows = append(rows, []string{m.At.UTC().Format(time.RFC3339), number(m.Requests), number(m.Metered), number(m.Refused)})
	}
	return shell.SendCSV(w, "usage-by-minute.csv", rows)
}

// routeFile sends the usage by route.
func (h handlers) routeFile(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q, err := readQuery(r.URL.Query(), h.Clock.Now())
	if err != nil {
		return err
	}
	found, err := h.usages.ListRouteStats(r.Context(), q.listRoutes(v.AccountID()))
	if err != nil {
		return err
	}
	milliseconds := func(d time.Duration) string {
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64)
	}
	rows := [][]string{{"method", "route", "requests", "failed", "server_failed", "p50_ms", "p95_ms"}}
	for _, s := range found.GetRoutes() {
		rows = append(rows, []string{
			s.GetMethod(), s.GetRoute(), number(s.GetRequests()), number(s.GetFailed()), number(s.GetServerFailed()),
			milliseconds(s.GetP50().AsDuration()), milliseconds(s.GetP95().AsDuration()),
		})
	}
	return shell.SendCSV(w, "usage-by-route-"+fileDays(q)+".csv", rows)
}

func fileDays(q query) string {
	return q.first.Format(time.DateOnly) + "-to-" + q.last.Format(time.DateOnly)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
