package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/console/plot"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// minuteRow is a minute of the last hour.
type minuteRow struct {
	At                         time.Time
	Requests, Metered, Refused int64
}

// minuteRows are the minutes, newest first.
func minuteRows(minutes []*authv1.MinuteUsage) []minuteRow {
	var rows []minuteRow
	for _, m := range slices.Backward(minutes) {
		rows = append(rows, minuteRow{At: m.GetMinute().AsTime(), Requests: m.GetRequests(), Metered: m.GetMetered(), Refused: m.GetRefused()})
	}
	return rows
}

// hourPlot draws the minutes against the limit of a minute. Metered requests are the lowest
// layer, because they are what the limit counts.
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
		spent := min(m.GetMetered(), n)
		turned := min(m.GetRefused(), n-spent)
		metered.Counts, refused.Counts, other.Counts = append(metered.Counts, spent), append(refused.Counts, turned), append(other.Counts, n-spent-turned)
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

// routeRow is what an account sees of a route.
type routeRow struct {
	Method, Route                  string
	Requests, Failed, ServerFailed int64
	ErrorRate, P50, P95            string
	// Log is the address of its requests.
	Log string
	// ErrorShare is the width of the bar of the error rate, in per cent.
	ErrorShare string
	// P50At and P95At are where the two lie between nothing and the slowest route, in per cent.
	P50At, P95At string
}

// routeRows are the routes, the one with the most requests first.
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
			ErrorRate: percent(s.GetFailed(), s.GetRequests()), P50: estimated(p50), P95: estimated(p95), P50At: at(p50), P95At: at(p95), ErrorShare: "0",
			Log: requestFilter{Method: s.GetMethod(), Route: s.GetRoute()}.address(requestsPath),
		}
		if s.GetRequests() > 0 {
			row.ErrorShare = strconv.FormatFloat(float64(s.GetFailed())/float64(s.GetRequests())*100, 'f', 1, 64)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b routeRow) int { return cmp.Compare(b.Requests, a.Requests) })
	return rows
}

// percent writes a share of all. What is above nothing is not written as 0%, and what is
// below all not as 100%.
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
