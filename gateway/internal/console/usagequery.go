package console

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// periods are how many days may be looked at; usualPeriod is shown if none is chosen.
var periods = []int{7, 30, 90}

const usualPeriod = 30

// stacking is what a day's column is made of.
type stacking struct {
	value, text string
	grouping    authv1.UsageGrouping
}

// stackings are the choices, the usual one first.
var stackings = []stacking{
	{"app", "App", authv1.UsageGrouping_USAGE_GROUPING_APP},
	{"key", "Key", authv1.UsageGrouping_USAGE_GROUPING_KEY},
	{"status", "Status", authv1.UsageGrouping_USAGE_GROUPING_STATUS},
}

// usageQuery says what usage is looked at.
type usageQuery struct {
	// app and key are ids, key may be anyToken; empty for all.
	app, key    string
	period      int
	by          stacking
	first, last time.Time
}

// readUsageQuery reads the query of a page or file. A choice that is none is refused, because
// a file with other days than asked for would be believed.
func readUsageQuery(q url.Values, now time.Time) (usageQuery, error) {
	u := usageQuery{app: readable(q.Get("app")), key: readable(q.Get("key")), period: usualPeriod, by: stackings[0]}
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

// address is that of a file with the same filter.
func (q usageQuery) address(file string) string {
	values := url.Values{"period": {strconv.Itoa(q.period)}}
	if q.app != "" {
		values.Set("app", q.app)
	}
	if q.key != "" {
		values.Set("key", q.key)
	}
	return usagePath + file + "?" + values.Encode()
}

// logDays is how many days the request log goes back (behaviour: usage#retention).
const logDays = 30

// oldestLogged is where the request log begins.
func (c *Console) oldestLogged() time.Time { return c.Clock.Now().AddDate(0, 0, -logDays) }

// log is the address of the requests of a day.
func (q usageQuery) log(day time.Time) string {
	text := day.Format(time.DateOnly)
	return requestFilter{App: q.app, Key: q.key, From: text, To: text}.address(requestsPath)
}

func (q usageQuery) listUsage(account string, by authv1.UsageGrouping) *authv1.ListUsageRequest {
	return &authv1.ListUsageRequest{
		AccountId: account, FromDay: q.first.Format(time.DateOnly), ToDay: q.last.Format(time.DateOnly), AppId: q.app, ApiKeyId: q.key, GroupBy: by,
	}
}

func (q usageQuery) listMinutes(account string) *authv1.ListUsageByMinuteRequest {
	return &authv1.ListUsageByMinuteRequest{AccountId: account, AppId: q.app, ApiKeyId: q.key}
}

func (q usageQuery) listRoutes(account string) *authv1.ListRouteStatsRequest {
	return &authv1.ListRouteStatsRequest{AccountId: account, FromDay: q.first.Format(time.DateOnly), ToDay: q.last.Format(time.DateOnly)}
}

// days are the days of the query, oldest first.
func (q usageQuery) days() []time.Time {
	days := make([]time.Time, q.period)
	for i := range days {
		days[i] = q.first.AddDate(0, 0, i)
	}
	return days
}

// usageForm is the form above the page.
type usageForm struct {
	Apps, Periods, Stackings []option
	Keys                     []optionGroup
}

func formForUsage(q usageQuery, n *catalog) usageForm {
	f := usageForm{Apps: n.appOptions(q.app), Keys: n.keyOptions(q.app, q.key)}
	for _, days := range periods {
		f.Periods = append(f.Periods, option{strconv.Itoa(days), strconv.Itoa(days) + " days", days == q.period})
	}
	for _, s := range stackings {
		f.Stackings = append(f.Stackings, option{s.value, s.text, s.value == q.by.value})
	}
	return f
}
