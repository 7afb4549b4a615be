package postgres_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/usage"
)

// A resource has many requests on each of twelve days, and a filter that matches thousands
// of facets meets it in the oldest alone. The first page is full nevertheless.
func TestAPageOfALargeResourceIsFullHoweverFarBackItsRequestsLie(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, today := w.Confidential().AccountID, usage.DayOf(w.Clock.Now())
	oldest := today.AddDate(0, 0, -11)
	w.Must(w.Store.MakePartitions(t.Context(), oldest, today))
	_, err := w.Pool.Exec(t.Context(), `INSERT INTO request_log (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered, resource_id)
		SELECT $2::timestamptz + d * interval '1 day' + n * interval '1 minute', 'req_' || d || '_' || n, $1, 'app_1', 'key_' || n % 281, '',
			CASE WHEN n < 120 AND d > 0 THEN 'PATCH' ELSE 'GET' END, '/v1/jobs/{jobId}', 200, 1, 1, true, CASE WHEN n < 120 THEN 'job_large' ELSE 'job_' || n END
		FROM generate_series(0, 11) d, generate_series(0, 400) n`, account, oldest)
	w.Must(err)
	q := usage.Query{
		AccountID: account, Filter: usage.Filter{ResourceID: "job_large", Method: "GET"}, Since: oldest, After: usage.Position{At: today.AddDate(0, 0, 1)}, AtMost: 50,
	}
	page, err := w.Store.Requests(t.Context(), q)
	w.Must(err)
	if len(page) != q.AtMost {
		t.Errorf("the first page has %d requests", len(page))
	}
	all := requests(w, q)
	if n := len(all); n != 120 || slices.ContainsFunc(all, func(e usage.Entry) bool {
		return e.Method != "GET" || e.ResourceID != "job_large" || !e.At.Before(oldest.Add(2*time.Hour))
	}) {
		t.Errorf("%d requests: %v", n, all)
	}
}

// A resource has few requests on most days, none on some, and on others so many that they are
// read by kinds. Its pages have all of them once, in order, whatever the place they begin at.
func TestPagesOfAResourceGoOnOverDaysOfFewAndOfMany(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, today := w.Confidential().AccountID, usage.DayOf(w.Clock.Now())
	perDay := []int{3, 2100, 0, 0, 40, 1999, 2000, 60, 0, 7}
	oldest := today.AddDate(0, 0, 1-len(perDay))
	w.Must(w.Store.MakePartitions(t.Context(), oldest, today))
	for d, n := range perDay {
		_, err := w.Pool.Exec(t.Context(), `INSERT INTO request_log (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered, resource_id)
			SELECT $2::timestamptz + n / 2 * interval '7 seconds', 'req_' || $4::int || '_' || n, $1, 'app_1', 'key_' || n % 5, '', 'GET', '/v1/jobs/{jobId}', 200 + n % 3, 1, 1, true,
				CASE WHEN n <= $3 THEN 'job_1' ELSE 'job_2' END
			FROM generate_series(1, $3 + 20) n`, account, oldest.AddDate(0, 0, d), n, d)
		w.Must(err)
	}
	q := usage.Query{AccountID: account, Since: oldest, After: usage.Position{At: today.AddDate(0, 0, 1)}, AtMost: 1000}
	whole := requests(w, q)
	q.Filter.ResourceID = "job_1"
	for _, at := range []struct{ since, before time.Duration }{{0, 240 * time.Hour}, {25 * time.Hour, 145*time.Hour + time.Minute}, {97 * time.Hour, 100 * time.Hour}} {
		q.Since, q.After.At = oldest.Add(at.since), oldest.Add(at.before)
		want := slices.DeleteFunc(slices.Clone(whole), func(e usage.Entry) bool {
			return e.ResourceID != "job_1" || e.At.Before(q.Since) || !e.At.Before(q.After.At)
		})
		for _, q.AtMost = range []int{47, 200, 1000} {
			if got := requests(w, q); !slices.Equal(got, want) {
				t.Errorf("from %v to %v: %d requests in pages of %d, want %d", at.since, at.before, len(got), q.AtMost, len(want))
			}
		}
	}
}
