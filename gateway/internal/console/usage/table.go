package usage

import (
	"cmp"
	"html/template"
	"slices"
	"strings"
	"time"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// dayTable is the table with the usage per day, newest first.
type dayTable struct {
	// Names are the headings of the app and key columns. Numbers are the headings of the counts.
	Names, Numbers []string
	// Body contains the rows. Rendering ninety days of fifty keys with a template would take ten
	// times as long.
	Body template.HTML
	// Long reports whether the table has its own scroll bar. A shorter table scrolls with the page,
	// because on a phone, swiping over a scrollable box would not scroll the page.
	Long bool
}

// longTable is the number of rows above which the table has its own scroll bar. It exceeds the
// number of days in a quarter.
const longTable = 100

// table returns the table. By status, it has one row per day. Otherwise, each day has a row with
// the total and a row for each app or key.
func (d dayCounts) table() dayTable {
	t := dayTable{Names: []string{"App"}, Numbers: []string{"Requests", "Metered", "Failed", "Refused"}}
	switch d.query.by.grouping {
	case authv1.UsageGrouping_USAGE_GROUPING_STATUS:
		t.Names, t.Numbers = nil, []string{"Requests"}
		for _, class := range statusClasses {
			t.Numbers = append(t.Numbers, class.name)
		}
		t.Numbers = append(t.Numbers, "Metered")
	case authv1.UsageGrouping_USAGE_GROUPING_KEY:
		t.Names = append(t.Names, "Key")
	}
	var body strings.Builder
	for _, day := range slices.Backward(d.days) {
		d.writeDay(&body, day, len(t.Names))
	}
	t.Long = strings.Count(body.String(), "<tr") > longTable
	t.Body = template.HTML(body.String()) //nolint:gosec // writeRow escapes the names; the rest are numbers and dates
	return t
}

// writeDay writes the total of a day and the counts of its apps or keys. If there is only one, it
// omits the total.
func (d dayCounts) writeDay(body *strings.Builder, day time.Time, names int) {
	parts := d.byDay[day.Format(time.DateOnly)]
	heading := shell.Date(day)
	if names == 0 {
		sum := sumOf(parts)
		numbers := []int64{sum.GetRequests()}
		for _, class := range statusClasses {
			numbers = append(numbers, class.count(sum))
		}
		writeRow(body, "", heading, nil, append(numbers, sum.GetMetered()))
		return
	}
	numbers := func(u *authv1.Usage) []int64 {
		return []int64{u.GetRequests(), u.GetMetered(), u.GetFailed(), u.GetRefused()}
	}
	if len(parts) != 1 {
		whole := make([]string, names)
		class := ""
		if len(parts) > 1 {
			whole[0], class = "All apps", "sum"
		}
		writeRow(body, class, heading, whole, numbers(sumOf(parts)))
	}
	for _, u := range slices.SortedStableFunc(slices.Values(parts), func(a, b *authv1.Usage) int { return cmp.Compare(b.GetRequests(), a.GetRequests()) }) {
		texts := []string{d.names.AppName(u.GetAppId()), d.names.KeyName(u.GetApiKeyId())}
		writeRow(body, "", heading, texts[:names], numbers(u))
	}
}

func writeRow(body *strings.Builder, class string, heading template.HTML, names []string, numbers []int64) {
	body.WriteString("<tr")
	if class != "" {
		body.WriteString(` class="` + class + `"`)
	}
	body.WriteString(`><th scope="row">` + string(heading) + "</th>")
	for _, name := range names {
		body.WriteString("<td><bdi>" + template.HTMLEscapeString(name) + "</bdi></td>")
	}
	for _, n := range numbers {
		body.WriteString(`<td class="number">` + plot.Grouped(n) + "</td>")
	}
	body.WriteString("</tr>\n")
}
