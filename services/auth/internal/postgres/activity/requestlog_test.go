package activity_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

// logOf returns an account's requests on three days, newest first. They differ in every field that filters use. Many
// of them have the same time, and some are at the very start or end of a day.
func logOf(account string, first time.Time) (all []requestlog.Entry) {
	for i := range 150 {
		e := requestlog.Entry{
			At: first.Add(time.Duration(i/3) * 90 * time.Minute), RequestID: fmt.Sprintf("req_%03d", 7*i%150), AccountID: account, AppID: fmt.Sprint("app_", i%2),
			APIKeyID: fmt.Sprint("key_", i%5), Method: []string{"GET", "PATCH"}[i/2%2], Route: []string{"/v1/jobs/{jobId}", "/v1/me"}[i/3%2],
			Status: []int32{200, 200, 304, 404, 201, 500, 400}[i%7], ResourceID: []string{"job_1", "", "job_2"}[i%3], MinuteLeft: requestlog.Unknown, DayLeft: int32(i),
		}
		if i%16 == 15 {
			e.At = e.At.Truncate(24 * time.Hour).Add(-time.Duration(i%2) * time.Microsecond)
		}
		if i%5 == 0 {
			e.APIKeyID, e.ConnectionID = "", "con_1"
		}
		if e.Status >= 400 {
			e.ErrorCode = fmt.Sprint("CODE_", e.Status)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b requestlog.Entry) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.RequestID, a.RequestID))
	})
	return all
}

// requests reads all pages of a list. It fails the test if the list doesn't end.
func requests(w *authtest.World, q requestlog.Query) (all []requestlog.Entry) {
	w.Helper()
	for range 1000 {
		page, err := w.Stores.Usage.Requests(w.Context(), q)
		w.Must(err)
		for _, e := range page.Entries {
			e.At = e.At.UTC()
			all = append(all, e)
		}
		switch n := len(page.Entries); {
		case page.IsPartial():
			q.After = page.Stopped
		case n == q.AtMost:
			q.After = requestlog.Position{At: page.Entries[n-1].At, RequestID: page.Entries[n-1].RequestID}
		default:
			return all
		}
	}
	w.Fatal("the list has no end")
	return nil
}

// says reports whether a filter selects a request.
func says(f requestlog.Filter, e requestlog.Entry) bool {
	key := e.APIKeyID
	if key == "" {
		key = requestlog.Token
	}
	exact := fmt.Sprint(e.Status)
	for _, c := range []struct{ wanted, is string }{
		{f.AppID, e.AppID}, {f.APIKeyID, key}, {f.ErrorCode, e.ErrorCode}, {f.Method, e.Method}, {f.Route, e.Route}, {f.ResourceID, e.ResourceID},
	} {
		if c.wanted != "" && c.wanted != c.is {
			return false
		}
	}
	return f.Status == "" || f.Status == exact || f.Status == exact[:1]+"xx"
}

var logFilters = []requestlog.Filter{
	{}, {AppID: "app_1"}, {AppID: "app_none"}, {APIKeyID: "key_3"}, {APIKeyID: requestlog.Token}, {Status: "404"}, {Status: "2xx"}, {Status: "4xx"},
	{ErrorCode: "CODE_500"}, {ResourceID: "job_2"}, {Method: "PATCH"}, {Route: "/v1/me"},
}

// both combines two filters. If both of them set a field, the first one takes precedence.
func both(f, g requestlog.Filter) requestlog.Filter {
	return requestlog.Filter{
		AppID: cmp.Or(f.AppID, g.AppID), APIKeyID: cmp.Or(f.APIKeyID, g.APIKeyID), Status: cmp.Or(f.Status, g.Status), ErrorCode: cmp.Or(f.ErrorCode, g.ErrorCode),
		Method: cmp.Or(f.Method, g.Method), Route: cmp.Or(f.Route, g.Route), ResourceID: cmp.Or(f.ResourceID, g.ResourceID),
	}
}

// twoLogs stores the same requests for two accounts.
func twoLogs(w *authtest.World) (account string, first time.Time, all []requestlog.Entry) {
	w.Helper()
	account, first = w.Confidential().AccountID, usage.DayOf(w.Clock.Now())
	w.Must(w.Stores.Usage.MakePartitions(w.Context(), first.AddDate(0, 0, -1), first.AddDate(0, 0, 3)))
	all = logOf(account, first)
	apply(w, usage.Batch{Entries: append(slices.Clone(all), requestlog.Entry{At: first, RequestID: "req_none", AccountID: "dev_none"})})
	apply(w, usage.Batch{Entries: logOf(w.Confidential().AccountID, first)})
	return account, first, all
}

func TestPairsOfFiltersFindMatches(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, first, all := twoLogs(w)
	w.Stores.Usage.ScanAtMost(20, 60)
	q := requestlog.Query{AccountID: account, Since: first.Add(time.Microsecond), After: requestlog.Position{At: first.AddDate(0, 0, 3).Add(-time.Hour)}, AtMost: 30}
	for i, f := range logFilters {
		for _, g := range logFilters[i:] {
			q.Filter = both(f, g)
			want := slices.DeleteFunc(slices.Clone(all), func(e requestlog.Entry) bool {
				return !says(q.Filter, e) || e.At.Before(q.Since) || !e.At.Before(q.After.At)
			})
			if got := requests(w, q); !slices.Equal(got, want) {
				t.Errorf("%+v: %d requests, want %d", q.Filter, len(got), len(want))
			}
		}
	}
}

func TestSearchReportsWhereItStopped(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, first, all := twoLogs(w)
	w.Stores.Usage.ScanAtMost(10, 40)
	q := requestlog.Query{AccountID: account, Since: first.AddDate(0, 0, -1), After: requestlog.Position{At: first.AddDate(0, 0, 4)}, AtMost: 3}
	for name, c := range map[string]struct {
		filter requestlog.Filter
		found  int
		at     requestlog.Entry // the entry at which the search stops
	}{
		"no filter":                 {requestlog.Filter{}, 3, requestlog.Entry{}},
		"nothing matches":           {requestlog.Filter{Method: "PUT"}, 0, all[39]},
		"an index has none":         {requestlog.Filter{Method: "PUT", AppID: "app_none"}, 0, requestlog.Entry{}},
		"the rarer index is read":   {requestlog.Filter{AppID: "app_1", Method: "PUT", ResourceID: "job_2"}, 0, nth(all, requestlog.Filter{ResourceID: "job_2"}, 40)},
		"a page that is just full":  {requestlog.Filter{Status: "500"}, 3, requestlog.Entry{}},
		"a class that has no index": {requestlog.Filter{Status: "204"}, 0, all[39]},
	} {
		q.Filter = c.filter
		page, err := w.Stores.Usage.Requests(t.Context(), q)
		w.Must(err)
		if len(page.Entries) != c.found || page.Stopped.RequestID != c.at.RequestID || !page.Stopped.At.Equal(c.at.At) {
			t.Errorf("%s: %d requests found, stopped at %v, want %d and %s", name, len(page.Entries), page.Stopped, c.found, c.at.RequestID)
		}
	}
}

// nth returns the nth request that a filter selects.
func nth(all []requestlog.Entry, f requestlog.Filter, n int) requestlog.Entry {
	return slices.DeleteFunc(slices.Clone(all), func(e requestlog.Entry) bool { return !says(f, e) })[n-1]
}
