package postgres_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/usage"
)

// edgeDays is on how many days edged has requests.
const edgeDays = 4

// edged are requests that lie at edges: at both ends of days, and many at one moment. Those
// of one app are so many that a page has to look behind them for all others: a thousand
// follow each day but the first, and the thousandth of the newest is one of many at its
// moment.
func edged(account, name string, first time.Time) (all []usage.Entry) {
	add := func(at time.Time, id string, e usage.Entry) {
		e.At, e.RequestID, e.AccountID, e.DayLeft, e.MinuteLeft = at, name+id, account, usage.Unknown, usage.Unknown
		all = append(all, e)
	}
	job := usage.Entry{AppID: "app_1", APIKeyID: "key_1", Method: "GET", Route: "/v1/jobs/{jobId}", Status: 200, ResourceID: "job_1"}
	like := func(change func(*usage.Entry)) usage.Entry {
		e := job
		change(&e)
		return e
	}
	kinds := []usage.Entry{
		job,
		like(func(e *usage.Entry) { e.AppID = "app_2" }),
		like(func(e *usage.Entry) { e.APIKeyID, e.ResourceID, e.Route, e.Status = "", "", "/v1/me", 299 }),
		like(func(e *usage.Entry) {
			e.APIKeyID, e.Method, e.Status, e.ErrorCode = "key_2", "PATCH", 404, "JOB_NOT_FOUND"
		}),
		like(func(e *usage.Entry) { e.ResourceID, e.Status = "job_2", 300 }),
		like(func(e *usage.Entry) { e.APIKeyID, e.Method, e.Status, e.ErrorCode = "", "DELETE", 499, "CLOSED" }),
	}
	for d := range edgeDays - 1 {
		day := first.AddDate(0, 0, d)
		end := day.AddDate(0, 0, 1).Add(-time.Microsecond)
		for m, at := range []time.Time{day, day.Add(time.Microsecond), day.Add(12 * time.Hour), end} {
			for k, e := range kinds {
				add(at, fmt.Sprintf("m_%d_%d_%d", d, m, k), e)
			}
		}
		for i := range 12 {
			add(day.Add(time.Duration(i)*time.Hour), fmt.Sprintf("hour_%d_%02d", d, i), kinds[0])
			add(day.Add(time.Duration(i+6)*time.Hour), fmt.Sprintf("later_%d_%02d", d, i), kinds[1])
		}
		for k, e := range kinds {
			add(end, fmt.Sprintf("p_%d_%d", d, k), e)
		}
		// Each is the only one of its app on a day.
		add([]time.Time{day.Add(12 * time.Hour), day, end}[d], "last_"+fmt.Sprint(d), like(func(e *usage.Entry) { e.AppID, e.ResourceID = fmt.Sprint("app_rare_", d), "job_rare" }))
		if d > 0 {
			for i := range 1000 {
				add(day.Add(20*time.Hour+time.Duration(i)*time.Second), fmt.Sprintf("many_%d_%03d", d, i), usage.Entry{AppID: "app_many", APIKeyID: "key_many", Method: "PUT", Route: "/v1/many", Status: 500, ErrorCode: "MANY", ResourceID: "many"})
			}
		}
	}
	many := all[len(all)-1]
	end := first.AddDate(0, 0, edgeDays-1).Add(-time.Microsecond)
	add(end, "n", many)
	newer := 0
	for _, e := range all {
		if e.At.Equal(end) && e.RequestID >= name+"n" {
			newer++
		}
	}
	for i := range 1000 - newer {
		add(end.Add(time.Duration(1+i)*time.Second), fmt.Sprintf("newest_%03d", i), many)
	}
	slices.SortFunc(all, func(a, b usage.Entry) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.RequestID, a.RequestID)) })
	return all
}

// edgeFilters tell the requests of edged apart in every way.
var edgeFilters = []usage.Filter{
	{AppID: "app_1"}, {AppID: "app_2"}, {AppID: "app_rare_0"}, {AppID: "app_rare_1"}, {AppID: "app_rare_2"}, {AppID: "app_none"}, {APIKeyID: "key_1"}, {APIKeyID: usage.Token},
	{Status: "404"}, {Status: "2xx"}, {Status: "299"}, {Status: "3xx"}, {Status: "4xx"}, {ErrorCode: "JOB_NOT_FOUND"}, {Method: "PATCH"}, {Method: "GET"}, {Route: "/v1/me"},
	{ResourceID: "job_1"}, {ResourceID: "job_2"}, {ResourceID: "job_rare"}, {ResourceID: "job_none"},
	{AppID: "app_1", APIKeyID: "key_1"}, {AppID: "app_1", Method: "GET", Status: "200"},
	{ResourceID: "job_1", AppID: "app_1"}, {ResourceID: "job_1", APIKeyID: "key_1"}, {ResourceID: "job_1", APIKeyID: usage.Token}, {ResourceID: "job_1", Status: "404"}, {ResourceID: "job_1", Status: "2xx"},
	{ResourceID: "job_1", ErrorCode: "CLOSED"}, {ResourceID: "job_1", Method: "GET"}, {ResourceID: "job_1", Route: "/v1/jobs/{jobId}"}, {ResourceID: "job_1", Route: "/v1/me"},
	{ResourceID: "job_rare", AppID: "app_rare_0"}, {ResourceID: "job_rare", AppID: "app_rare_1"}, {ResourceID: "job_rare", AppID: "app_rare_2"}, {ResourceID: "job_rare", Method: "GET"},
}

// Which days have facets and kinds depends on when the deployment was upgraded. Whatever
// they are, a filter gives each request that matches once, the newest first.
func TestPagesHaveNoGapAndNothingTwiceAtTheEdgesOfDaysAndMoments(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, other := w.Confidential().AccountID, w.Confidential().AccountID
	first := usage.DayOf(w.Clock.Now())
	day := func(n int) time.Time { return first.AddDate(0, 0, n) }
	w.Must(w.Store.MakePartitions(t.Context(), first, day(edgeDays)))
	all := edged(account, "req_", first)
	apply(w, usage.Batch{Entries: slices.Clone(all)})
	apply(w, usage.Batch{Entries: edged(other, "other_", first)})
	noon := 12 * time.Hour
	ranges := [][2]time.Time{
		{first, day(edgeDays)}, {day(0).Add(noon), day(edgeDays)}, {day(1), day(2)}, {day(1).Add(-time.Microsecond), day(2).Add(noon)},
		{day(0).Add(time.Microsecond), day(1).Add(noon)}, {day(2), day(2).Add(2 * time.Microsecond)},
	}
	for _, known := range []struct {
		when, facets, kinds string
		ranges              int
	}{
		{"all days", "1970-01-01", "{}", len(ranges)}, {"the second day without kinds", "1970-01-01", "{" + usage.FormatDay(day(1)) + "}", 1},
		{"facets from the second day on", usage.FormatDay(day(1)), "{}", 2}, {"facets from the last day on", usage.FormatDay(day(edgeDays - 1)), "{}", 2},
	} {
		_, err := w.Pool.Exec(t.Context(), fmt.Sprintf(`CREATE OR REPLACE FUNCTION request_facets_since() RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN date '%s';
			CREATE OR REPLACE FUNCTION request_kinds_missing() RETURNS date[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN '%s'::date[]`, known.facets, known.kinds))
		w.Must(err)
		for i, r := range ranges[:known.ranges] {
			for _, f := range edgeFilters {
				f.From, f.To = r[0], r[1]
				want := slices.DeleteFunc(slices.Clone(all), func(e usage.Entry) bool { return !says(f, e) })
				for _, atMost := range []int{7, 100}[min(i, 1):] {
					if got := requests(w, queryOf(account, first, f, atMost)); !slices.Equal(got, want) {
						t.Fatalf("%s, range %d, %+v in pages of %d:\ngot  %v\nwant %v", known.when, i, f, atMost, ids(got), ids(want))
					}
				}
			}
		}
	}
}

func ids(entries []usage.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.RequestID)
	}
	return all
}
