package postgres_test

import (
	"testing"
	"time"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/usage"
)

// What cannot match is not looked for, however much of it there is: the requests of other
// accounts, those of other days, and other kinds of requests of the same resource.
func TestAPageReadsLittleOfWhatCannotMatch(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, other := w.Confidential().AccountID, w.Confidential().AccountID
	first := usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1-logDays)
	w.Must(w.Store.MakePartitions(t.Context(), first, usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1)))
	r := newReader(w)
	r.alone()
	day := func(n int) time.Time { return first.AddDate(0, 0, n) }
	fill := func(of string, at time.Time, n int, columns string) {
		_, err := r.pool.Exec(t.Context(), `INSERT INTO request_log (account_id, at, request_id, connection_id, latency_us, bytes, metered, app_id, api_key_id, method, route, status, error_code, resource_id)
			SELECT $1, $2::timestamptz + n * interval '1 second', 'req_' || n, '', 1, 1, true, `+columns+` FROM generate_series(1, $3) n ORDER BY hashint4(n)`, of, at, n)
		w.Must(err)
	}
	fill(other, day(logDays-2), 3000, "'app_rare', 'key_' || n, 'GET', '/v1/me', 200, '', ''")
	fill(account, first, 3000, "'app_rare', 'key_' || n, 'GET', '/v1/me', 200, '', ''")
	fill(account, day(5), 1, "'app_rare', 'key_rare', 'GET', '/v1/me', 200, '', ''")
	for d := 2; d < logDays; d++ {
		fill(account, day(d), 150, "'app_1', 'key_' || n, 'GET', '/v1/jobs/{jobId}', 200, '', 'job_kinds'")
	}
	fill(account, day(logDays-1), 150, "'app_1', 'key_' || n, 'GET', '/v1/jobs/{jobId}', 200, '', 'job_late'")
	fill(account, day(2), 1, "'app_1', 'key_1', 'GET', '/v1/jobs/{jobId}', 200, '', 'job_late'")
	fill(account, day(logDays-1), 8000, "'app_1', 'key_1', 'GET', '/v1/jobs/{jobId}', 200, '', 'job_1'")
	for _, columns := range []string{
		"'app_2', 'key_1', 'GET', '/v1/jobs/{jobId}', 200, '', 'job_1'", "'app_1', 'key_2', 'GET', '/v1/jobs/{jobId}', 200, '', 'job_1'", "'app_1', 'key_1', 'PUT', '/v1/jobs/{jobId}', 200, '', 'job_1'",
		"'app_1', 'key_1', 'GET', '/v2', 200, '', 'job_1'", "'app_1', 'key_1', 'GET', '/v1/jobs/{jobId}', 201, '', 'job_1'", "'app_1', 'key_1', 'GET', '/v1/jobs/{jobId}', 200, 'CODE', 'job_1'",
	} {
		fill(account, day(logDays-2), 1, columns)
	}
	fill(account, day(logDays-1).Add(12*time.Hour), 1000, "'app_many', 'key_many', 'HEAD', '/v1/many', 500, 'MANY', ''")
	for name, c := range map[string]struct {
		filter usage.Filter
		since  time.Time
		atMost int
	}{
		"app":               {usage.Filter{AppID: "app_rare"}, day(2), 50},
		"few of many kinds": {usage.Filter{ResourceID: "job_kinds"}, first, 10}, "few of many wanted kinds": {usage.Filter{ResourceID: "job_kinds", Method: "GET"}, first, 10},
		"kinds of the last day": {usage.Filter{ResourceID: "job_late"}, first, 200},
		"app of a resource":     {usage.Filter{ResourceID: "job_1", AppID: "app_2"}, first, 50}, "key of a resource": {usage.Filter{ResourceID: "job_1", APIKeyID: "key_2"}, first, 50},
		"method of a resource": {usage.Filter{ResourceID: "job_1", Method: "PUT"}, first, 50}, "route of a resource": {usage.Filter{ResourceID: "job_1", Route: "/v2"}, first, 50},
		"status of a resource": {usage.Filter{ResourceID: "job_1", Status: "201"}, first, 50}, "code of a resource": {usage.Filter{ResourceID: "job_1", ErrorCode: "CODE"}, first, 50},
	} {
		page, next := r.blocks(usage.Query{AccountID: account, Filter: c.filter, Since: c.since, After: usage.Position{At: day(logDays)}, AtMost: c.atMost})
		if page > 3000 || next > 3000 {
			t.Errorf("%s: the first page reads %d blocks, the next %d", name, page, next)
		}
	}
}

// A resource has as many kinds of requests as it has requests. Its page reads each of those of
// a day once, and not each kind by itself twice.
func TestAResourceOfFewRequestsIsReadWithoutItsKinds(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, day := w.Confidential().AccountID, usage.DayOf(w.Clock.Now())
	w.Must(w.Store.MakePartitions(t.Context(), day, day))
	r := newReader(w)
	r.alone()
	_, err := r.pool.Exec(t.Context(), `INSERT INTO request_log (account_id, at, request_id, connection_id, latency_us, bytes, metered, app_id, api_key_id, method, route, status, error_code, resource_id)
		SELECT $1, $2::timestamptz + n * interval '10 seconds', 'req_' || n, '', 1, 1, true, 'app_1', 'key_' || n % 700, 'GET', '/v1/jobs/{jobId}', 200, '',
			CASE WHEN n <= 700 THEN 'job_few' ELSE 'job_' || n END
		FROM generate_series(1, 2000) n ORDER BY hashint4(n)`, account, day)
	w.Must(err)
	q := usage.Query{AccountID: account, Filter: usage.Filter{ResourceID: "job_few"}, Since: day, After: usage.Position{At: day.AddDate(0, 0, 1)}, AtMost: 50}
	page, next := r.blocks(q)
	if page > 3000 || next > 3000 {
		t.Errorf("the first page reads %d blocks, the next %d", page, next)
	}
}
