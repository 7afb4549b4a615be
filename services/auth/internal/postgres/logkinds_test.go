package postgres_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/usage"
)

// alike gives two texts that make the same number of a kind of requests, which has few bits.
func alike(w *authtest.World, kind string) (one, other string) {
	w.Helper()
	w.Must(w.Pool.QueryRow(w.Context(), `SELECT min(text), max(text) FROM (
			SELECT 'x' || n AS text, `+kind+` AS kind FROM generate_series(1, 40000) n, LATERAL (SELECT 'x' || n AS x) t
		) made GROUP BY kind HAVING count(*) > 1 ORDER BY 1 LIMIT 1`).Scan(&one, &other))
	return one, other
}

// The requests of a resource are found by the number of their kind. What has the same
// number by chance is not among them.
func TestRequestsWhoseKindsHaveTheSameNumberAreToldApart(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, now := w.Confidential().AccountID, w.Clock.Now()
	w.Must(w.Store.MakePartitions(t.Context(), usage.DayOf(now), usage.DayOf(now)))
	var entries []usage.Entry
	add := func(at time.Time, e usage.Entry) {
		e.At, e.RequestID, e.AccountID = at, fmt.Sprintf("req_%04d", len(entries)), account
		entries = append(entries, e)
	}
	common := usage.Entry{AppID: "app_1", APIKeyID: "key_1", Method: "GET", Route: "/v1/jobs/{jobId}", Status: 404, ErrorCode: "JOB_NOT_FOUND"}
	filters := map[string]usage.Filter{}
	for i, c := range []struct {
		name, kind string
		set        func(*usage.Entry, string)
		filter     func(*usage.Filter, string)
	}{
		{"app", "request_kind(x, 'key_1', 'GET', '/v1/jobs/{jobId}', 404, 'JOB_NOT_FOUND')", func(e *usage.Entry, s string) { e.AppID = s }, func(f *usage.Filter, s string) { f.AppID = s }},
		{"key", "request_kind('app_1', x, 'GET', '/v1/jobs/{jobId}', 404, 'JOB_NOT_FOUND')", func(e *usage.Entry, s string) { e.APIKeyID = s }, func(f *usage.Filter, s string) { f.APIKeyID = s }},
		{"method", "request_kind('app_1', 'key_1', x, '/v1/jobs/{jobId}', 404, 'JOB_NOT_FOUND')", func(e *usage.Entry, s string) { e.Method = s }, func(f *usage.Filter, s string) { f.Method = s }},
		{"route", "request_kind('app_1', 'key_1', 'GET', x, 404, 'JOB_NOT_FOUND')", func(e *usage.Entry, s string) { e.Route = s }, func(f *usage.Filter, s string) { f.Route = s }},
		{"code", "request_kind('app_1', 'key_1', 'GET', '/v1/jobs/{jobId}', 404, x)", func(e *usage.Entry, s string) { e.ErrorCode = s }, func(f *usage.Filter, s string) { f.ErrorCode = s }},
		{"status", "", func(e *usage.Entry, s string) { e.Status = map[string]int32{"404": 404, "other": 404 + 1024}[s] }, func(f *usage.Filter, s string) { f.Status = s }},
	} {
		one, other := "404", "other"
		if c.kind != "" {
			one, other = alike(w, c.kind)
		}
		f := usage.Filter{ResourceID: fmt.Sprint("job_", i)}
		for _, text := range []string{one, other} {
			e := common
			e.ResourceID = f.ResourceID
			c.set(&e, text)
			add(now, e)
		}
		c.filter(&f, one)
		filters[c.name] = f
	}
	for range 1000 { // so that kinds are looked for
		add(now.Add(time.Second), usage.Entry{AppID: "app_many", Method: "GET", Route: "/v1/me", Status: 200})
	}
	apply(w, usage.Batch{Entries: slices.Clone(entries)})
	for name, f := range filters {
		got := requests(w, usage.Query{AccountID: account, Filter: f, Since: now, After: usage.Position{At: now.Add(time.Minute)}, AtMost: 50})
		if len(got) != 1 || !says(f, got[0]) {
			t.Errorf("%s: %+v gives %+v", name, f, got)
		}
	}
}

// A page is put together from parts, of each of which it reads a few requests. It ends where
// one of them may have more, also within a moment.
func TestAPageEndsWhereOneOfItsPartsMayHaveMore(t *testing.T) {
	t.Parallel()
	for name, apart := range map[string]time.Duration{"at one moment": 0, "one after the other": time.Microsecond} {
		w := authtest.New(t)
		account, now := w.Confidential().AccountID, w.Clock.Now()
		w.Must(w.Store.MakePartitions(t.Context(), usage.DayOf(now), usage.DayOf(now)))
		var entries []usage.Entry
		for i := range 240 { // sixteen of each key follow each other
			entries = append(entries, usage.Entry{
				At: now.Add(time.Duration(i) * apart), RequestID: fmt.Sprintf("req_%03d", i), AccountID: account, AppID: "app_1", APIKeyID: fmt.Sprint("key_", i/16%8),
				Method: "GET", Route: "/v1/jobs/{jobId}", Status: 200, ResourceID: "job_1", MinuteLeft: usage.Unknown, DayLeft: usage.Unknown,
			})
		}
		want := slices.Clone(entries)
		slices.Reverse(want)
		for i := range 1000 { // so that parts are read
			entries = append(entries, usage.Entry{At: now.Add(time.Second), RequestID: fmt.Sprint("many_", i), AccountID: account, AppID: "app_many", Method: "PUT", Route: "/v1/me", Status: 200})
		}
		apply(w, usage.Batch{Entries: entries})
		for _, f := range []usage.Filter{{AppID: "app_1"}, {ResourceID: "job_1"}, {ResourceID: "job_1", Method: "GET"}} {
			for _, atMost := range []int{20, 240} {
				if got := requests(w, usage.Query{AccountID: account, Filter: f, Since: now, After: usage.Position{At: now.Add(time.Minute)}, AtMost: atMost}); !slices.Equal(got, want) {
					t.Errorf("%s, %+v in pages of %d: %v", name, f, atMost, ids(got))
				}
			}
		}
	}
}
