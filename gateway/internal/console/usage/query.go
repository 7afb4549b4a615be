package usage

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/console/requests"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// periods lists the numbers of days that can be selected as the period.
var periods = []int{7, 30, 90}

const defaultPeriod = 30

// stacking is a way to divide the columns into layers.
type stacking struct {
	value, text string
	grouping    authv1.UsageGrouping
}

// stackings lists the ways to divide columns. The first is the default.
var stackings = []stacking{
	{"app", "App", authv1.UsageGrouping_USAGE_GROUPING_APP},
	{"key", "Key", authv1.UsageGrouping_USAGE_GROUPING_KEY},
	{"status", "Status", authv1.UsageGrouping_USAGE_GROUPING_STATUS},
}

// query selects usage by app, key and period.
type query struct {
	// app is an app id, or "" for all apps. key is a key id, shell.AnyToken, or "" for all keys.
	app, key    string
	period      int
	by          stacking
	first, last time.Time
}

// readQuery parses the query of a page or file. It rejects unknown values, so a file never covers a
// period other than the requested one.
func readQuery(q url.Values, now time.Time) (query, error) {
	u := query{app: shell.Readable(q.Get("app")), key: shell.Readable(q.Get("key")), period: defaultPeriod, by: stackings[0]}
	if text := q.Get("period"); text != "" {
		days, err := strconv.Atoi(text)
		if err != nil || !slices.Contains(periods, days) {
			return u, web.ErrMalformed
		}
		u.period = days
	}
	if text := q.Get("by"); text != "" {
		at := slices.IndexFunc(stackings, func(s stacking) bool { return s.value == text })
		if at < 0 {
			return u, web.ErrMalformed
		}
		u.by = stackings[at]
	}
	u.last = now.UTC().Truncate(24 * time.Hour)
	u.first = u.last.AddDate(0, 0, 1-u.period)
	return u, nil
}

// address returns the URL of the CSV file with the given name.
func (q query) address(file string) string {
	values := url.Values{"period": {strconv.Itoa(q.period)}}
	if q.app != "" {
		values.Set("app", q.app)
	}
	if q.key != "" {
		values.Set("key", q.key)
	}
	return shell.UsagePath + file + "?" + values.Encode()
}

// log returns the URL of the log with the requests of the given day.
func (q query) log(day time.Time) string {
	text := day.Format(time.DateOnly)
	return requests.Filter{App: q.app, Key: q.key, From: text, To: text}.Address()
}

func (q query) listUsage(account string, by authv1.UsageGrouping) *authv1.ListUsageRequest {
	return &authv1.ListUsageRequest{
		AccountId: account, FromDay: q.first.Format(time.DateOnly), ToDay: q.last.Format(time.DateOnly), AppId: q.app, ApiKeyId: q.key, GroupBy: by,
	}
}

func (q query) listMinutes(account string) *authv1.ListUsageByMinuteRequest {
	return &authv1.ListUsageByMinuteRequest{AccountId: account, AppId: q.app, ApiKeyId: q.key}
}

func (q query) listRoutes(account string) *authv1.ListRouteStatsRequest {
	return &authv1.ListRouteStatsRequest{AccountId: account, FromDay: q.first.Format(time.DateOnly), ToDay: q.last.Format(time.DateOnly)}
}

// days returns the days in the period, oldest first.
func (q query) days() []time.Time {
	days := make([]time.Time, q.period)
	for i := range days {
		days[i] = q.first.AddDate(0, 0, i)
	}
	return days
}

// form holds the data for the form above the page.
type form struct {
	Apps, Periods, Stackings []shell.Option
	Keys                     []shell.OptionGroup
}

func formFor(q query, n *shell.Catalog) form {
	f := form{Apps: n.AppOptions(q.app), Keys: n.KeyOptions(q.app, q.key)}
	for _, days := range periods {
		f.Periods = append(f.Periods, shell.Option{Value: strconv.Itoa(days), Text: strconv.Itoa(days) + " days", Chosen: days == q.period})
	}
	for _, s := range stackings {
		f.Stackings = append(f.Stackings, shell.Option{Value: s.value, Text: s.text, Chosen: s.value == q.by.value})
	}
	return f
}
