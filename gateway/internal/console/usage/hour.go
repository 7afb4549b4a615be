package usage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/gateway/internal/console/requests"
	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// minuteRow is one minute of the last hour.
type minuteRow struct {
	At                         time.Time
	Requests, Metered, Refused int64
}

// minuteRows returns the minutes, newest first.
func minuteRows(minutes []*authv1.MinuteUsage) []minuteRow {
	var rows []minuteRow
	for _, m := range slices.Backward(minutes) {
		rows = append(rows, minuteRow{At: m.GetMinute().AsTime(), Requests: m.GetRequests(), Metered: m.GetMetered(), Refused: m.GetRefused()})
	}
	return rows
}

// hourPlot draws the minutes and the limit per minute. Metered requests are the lowest layer,
// because only they count against the limit.
func hourPlot(minutes []*authv1.MinuteUsage, plan *authv1.Plan) (plot.Drawing, error) {
	metered, refused, other := plot.Series{Name: "Metered"}, plot.Series{Name: "Refused by a limit"}, plot.Series{Name: "Not metered"}
	chart := plot.Columns{ID: "the-last-hour", Name: "The last hour"}
	var all, most int64
	for i, m := range minutes {
		at := m.GetMinute().AsTime().UTC()
		column := plot.Column{Text: at.Format("15:04") + " UTC"}
		if i == len(minutes)-1 {
			column.Text += " (this minute, so far)"
		}
		if at.Minute()%10 == 0 {
			column.Tick = at.Format("15:04")
		}
		chart.At = append(chart.At, column)
		n := m.GetRequests()
		counted := min(m.GetMetered(), n)
		denied := min(m.GetRefused(), n-counted)
		metered.Counts, refused.Counts, other.Counts = append(metered.Counts, counted), append(refused.Counts, denied), append(other.Counts, n-counted-denied)
		all, most = all+n, max(most, n)
	}
	chart.Series = []plot.Series{metered, other, refused}
	chart.Description = fmt.Sprintf("A column for each of the last %d minutes. %s requests in all, at most %s in a minute. The limit is %s a minute.",
		len(minutes), plot.Grouped(all), plot.Grouped(most), plot.Grouped(int64(plan.GetPerMinute())))
	if plan.GetPerMinute() > 0 {
		chart.Limit = &plot.Limit{Name: "Limit of a minute", Count: int64(plan.GetPerMinute())}
	}
	return chart.Draw()
}

// routeRow is a route with its errors and latency.
type routeRow struct {
	Method, Route                  string
	Requests, Failed, ServerFailed int64
	ErrorRate, P50, P95            string
	// Log is the URL of the log with the route's requests.
	Log string
	// ErrorShare, P50At and P95At are the widths of bars in percent. Those of latencies are
	// relative to the slowest route.
	ErrorShare, P50At, P95At string
}

// routeRows returns the routes, busiest first.
func routeRows(routes []*authv1.RouteStats) []routeRow {
	slowest := time.Millisecond
	for _, s := range routes {
		slowest = max(slowest, s.GetP95().AsDuration())
	}
	at := func(d time.Duration) string { return strconv.FormatFloat(float64(d)/float64(slowest)*100, 'f', 1, 64) }
	var rows []routeRow
	for _, s := range routes {
		p50, p95 := s.GetP50().AsDuration(), s.GetP95().AsDuration()
		row := routeRow{
			Method: s.GetMethod(), Route: s.GetRoute(), Requests: s.GetRequests(), Failed: s.GetFailed(), ServerFailed: s.GetServerFailed(),
			ErrorRate: percent(s.GetFailed(), s.GetRequests()), P50: shell.Estimated(p50), P95: shell.Estimated(p95), P50At: at(p50), P95At: at(p95), ErrorShare: "0",
			Log: requests.Filter{Method: s.GetMethod(), Route: s.GetRoute()}.Address(),
		}
		if s.GetRequests() > 0 {
			row.ErrorShare = strconv.FormatFloat(float64(s.GetFailed())/float64(s.GetRequests())*100, 'f', 1, 64)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b routeRow) int { return cmp.Compare(b.Requests, a.Requests) })
	return rows
}

// percent formats a share. It shows 0% or 100% only if that is exact.
func percent(n, all int64) string {
	if all == 0 || n == 0 {
		return "0%"
	}
	share := float64(n) / float64(all) * 100
	switch {
	case n == all:
		return "100%"
	case share < 0.1:
		return "< 0.1%"
	case share > 99.9:
		return "> 99.9%"
	}
	return strconv.FormatFloat(share, 'f', 1, 64) + "%"
}
