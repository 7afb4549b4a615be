package usage

import (
	"fmt"
	"time"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/gateway/internal/console/requests"
	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// dayCounts is the usage on each day of a query.
type dayCounts struct {
	query query
	names *shell.Catalog
	days  []time.Time // oldest first
	// byDay maps days to their usage rows, in the order in which the auth service returned them.
	byDay map[string][]*authv1.Usage
	total *authv1.Usage
}

func newDayCounts(q query, rows []*authv1.Usage, n *shell.Catalog) dayCounts {
	d := dayCounts{query: q, names: n, days: q.days(), byDay: map[string][]*authv1.Usage{}, total: sumOf(rows)}
	for _, u := range rows {
		d.byDay[u.GetDay()] = append(d.byDay[u.GetDay()], u)
	}
	return d
}

func sumOf(rows []*authv1.Usage) *authv1.Usage {
	sum := &authv1.Usage{}
	for _, u := range rows {
		sum.Requests += u.GetRequests()
		sum.Metered += u.GetMetered()
		sum.Failed += u.GetFailed()
		sum.Refused += u.GetRefused()
		sum.Redirected += u.GetRedirected()
		sum.ServerFailed += u.GetServerFailed()
	}
	return sum
}

// statusClass is a class of responses.
type statusClass struct {
	name  string
	count func(*authv1.Usage) int64
}

// statusClasses assigns each response to exactly one class. In the usage, Failed includes Refused
// and ServerFailed.
var statusClasses = []statusClass{
	{"2xx", func(u *authv1.Usage) int64 { return max(u.GetRequests()-u.GetFailed()-u.GetRedirected(), 0) }},
	{"3xx", (*authv1.Usage).GetRedirected},
	{"Other 4xx", func(u *authv1.Usage) int64 { return max(u.GetFailed()-u.GetServerFailed()-u.GetRefused(), 0) }},
	{"Refused (429)", (*authv1.Usage).GetRefused},
	{"5xx", (*authv1.Usage).GetServerFailed},
}

// plot draws the days and the quota.
func (d dayCounts) plot(plan *authv1.Plan, now time.Time) (plot.Drawing, error) {
	chart := plot.Columns{ID: "requests-per-day", Name: "Requests per day", Description: d.describe(plan), Series: d.series()}
	oldestLogged := now.UTC().Add(-requests.LogDays * 24 * time.Hour).Truncate(24 * time.Hour)
	for i, day := range d.days {
		column := plot.Column{Text: day.Format("Monday, 2 January")}
		if i == len(d.days)-1 {
			column.Text += " (today, so far)"
		}
		if d.labelled(i) {
			column.Tick = day.Format("2 Jan")
		}
		if !day.Before(oldestLogged) && len(d.byDay[day.Format(time.DateOnly)]) > 0 {
			column.Link, column.LinkText = d.query.log(day), "Show these requests"
		}
		chart.At = append(chart.At, column)
	}
	if plan.GetPerDay() > 0 {
		chart.Limit = &plot.Limit{Name: "Quota of a day", Count: int64(plan.GetPerDay())}
	}
	return chart.Draw()
}

// labelled reports whether a day has a label under the axis. In a week, every day has one. In a
// longer period, every seventh day has one, counting back from today.
func (d dayCounts) labelled(i int) bool {
	fromToday := len(d.days) - 1 - i
	return len(d.days) <= 7 || fromToday%7 == 0
}

func (d dayCounts) describe(plan *authv1.Plan) string {
	var most int64
	var at time.Time
	for _, day := range d.days {
		if n := sumOf(d.byDay[day.Format(time.DateOnly)]).GetRequests(); n > most {
			most, at = n, day
		}
	}
	text := fmt.Sprintf("A column for each day from %s to %s, stacked by %s. %s requests in all.",
		d.query.first.Format("2 January 2006"), d.query.last.Format("2 January 2006"), d.query.by.value, plot.Grouped(d.total.GetRequests()))
	if most > 0 {
		text += fmt.Sprintf(" The most, %s, were on %s.", plot.Grouped(most), at.Format("2 January"))
	}
	return text + fmt.Sprintf(" The quota is %s a day. The table below has every number.", plot.Grouped(int64(plan.GetPerDay())))
}

// series returns the layers of the columns. They are the status classes, or the apps or keys, with
// the largest first and the smallest added up.
func (d dayCounts) series() []plot.Series {
	if d.query.by.grouping == authv1.UsageGrouping_USAGE_GROUPING_STATUS {
		var out []plot.Series
		for _, class := range statusClasses {
			out = append(out, plot.Series{Name: class.name, Counts: d.counts(class.count)})
		}
		return out
	}
	type owner struct{ app, key string }
	at := map[owner]int{}
	var out []plot.Series
	for i, day := range d.days {
		for _, u := range d.byDay[day.Format(time.DateOnly)] {
			who := owner{u.GetAppId(), u.GetApiKeyId()}
			layer, known := at[who]
			if !known {
				layer = len(out)
				at[who] = layer
				out = append(out, plot.Series{Name: d.label(u), Counts: make([]int64, len(d.days))})
			}
			out[layer].Counts[i] += u.GetRequests()
		}
	}
	if len(out) == 0 {
		return []plot.Series{{Name: "Requests", Counts: make([]int64, len(d.days))}}
	}
	return plot.Top(out, "Others")
}

func (d dayCounts) counts(of func(*authv1.Usage) int64) []int64 {
	out := make([]int64, len(d.days))
	for i, day := range d.days {
		out[i] = of(sumOf(d.byDay[day.Format(time.DateOnly)]))
	}
	return out
}

// label returns the name of a row for the plot.
func (d dayCounts) label(u *authv1.Usage) string {
	app := d.names.AppName(u.GetAppId())
	switch {
	case d.query.by.grouping != authv1.UsageGrouping_USAGE_GROUPING_KEY:
		return app
	case d.query.app != "":
		return d.names.KeyName(u.GetApiKeyId())
	}
	return app + ": " + d.names.KeyName(u.GetApiKeyId())
}
