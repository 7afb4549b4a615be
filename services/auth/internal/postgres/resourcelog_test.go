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
