package postgres_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/usage"
)

// logDays is on how many days fillLog writes.
const logDays = 12

// fillLog writes so many requests of an account a day. It has the same apps, keys, routes
// and resources whatever their number, a third are of one resource, and some are rare. A route
// and a method occur on old days alone. Many requests have the same time.
func fillLog(w *authtest.World, pool *pgxpool.Pool, account string, first time.Time, perDay int) {
	w.Helper()
	for d := range logDays {
		_, err := pool.Exec(w.Context(), `INSERT INTO request_log (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status,
				latency_us, bytes, metered, error_code, resource_id)
			SELECT $2::timestamptz + (n / 3) * 3 * interval '1 day' / $3, 'req_' || $4::int || '_' || n, $1, 'app_' || key % 4, CASE WHEN key < 2 THEN '' ELSE 'key_' || key END, '',
				CASE WHEN r = 5 AND $4 < 3 THEN 'DELETE' WHEN r % 3 = 0 THEN 'GET' ELSE 'PATCH' END,
				CASE WHEN r < 5 THEN '/v1/jobs/{jobId}' WHEN r = 5 AND $4 < 2 THEN '/v1/old' WHEN r < 8 THEN '/v1/companies/{companyId}' ELSE '/v1/me' END,
				status, 1, 1, true, CASE status WHEN 404 THEN 'NOT_FOUND' WHEN 500 THEN 'INTERNAL_ERROR' ELSE '' END,
				CASE WHEN r < 5 AND h % 4 > 0 THEN 'job_large' WHEN r < 5 THEN 'job_' || h % 500 WHEN r < 8 THEN 'com_' || h % 9 ELSE '' END
			FROM (
				SELECT n, h, (h / 3 % 12)::integer AS key, (h / 37 % 11)::integer AS r,
					CASE WHEN n = 7 AND $4 IN (1, 5) THEN 500 ELSE (ARRAY[200, 200, 200, 200, 200, 200, 200, 200, 200, 304, 404, 204])[h / 411 % 12 + 1] END AS status
				FROM (SELECT n, abs(hashint8extended(n, $4)) AS h FROM generate_series(0, $3 - 1) n) drawn
			) requests`, account, first.AddDate(0, 0, d), perDay, d)
		w.Must(err)
	}
}

// logFilters has one or two filters of each kind, of a log that fillLog has written. "never"
// matches nothing.
func logFilters(first time.Time) map[string]usage.Filter {
	return map[string]usage.Filter{
		"app": {AppID: "app_3"}, "never": {AppID: "app_none"}, "key": {APIKeyID: "key_5"}, "token": {APIKeyID: usage.Token},
		"status": {Status: "404"}, "class": {Status: "2xx"}, "rare class": {Status: "5xx"}, "code": {ErrorCode: "NOT_FOUND"}, "rare code": {ErrorCode: "INTERNAL_ERROR"},
		"method": {Method: "PATCH"}, "old method": {Method: "DELETE"}, "route": {Route: "/v1/me"}, "route of jobs": {Route: "/v1/jobs/{jobId}"}, "old route": {Route: "/v1/old"},
		"large resource": {ResourceID: "job_large"}, "resource": {ResourceID: "com_3"}, "rare resource": {ResourceID: "job_7"},
		"time": {From: first.AddDate(0, 0, 3).Add(7 * time.Hour), To: first.AddDate(0, 0, 8).Add(5 * time.Hour)},
	}
}

// pairs are all filters and all pairs of different kinds, by name.
func pairs(filters map[string]usage.Filter) map[string]usage.Filter {
	all := map[string]usage.Filter{}
	for one, f := range filters {
		all[one] = f
		for other, g := range filters {
			if both, ok := together(f, g); ok && one < other {
				all[one+" and "+other] = both
			}
		}
	}
	return all
}

// together is a filter that says what two say, if they do not say the same kind of thing.
func together(f, g usage.Filter) (usage.Filter, bool) {
	for _, text := range []struct{ to, from *string }{
		{&f.AppID, &g.AppID}, {&f.APIKeyID, &g.APIKeyID}, {&f.Status, &g.Status}, {&f.ErrorCode, &g.ErrorCode},
		{&f.Method, &g.Method}, {&f.Route, &g.Route}, {&f.ResourceID, &g.ResourceID},
	} {
		if *text.to != "" && *text.from != "" {
			return f, false
		}
		*text.to += *text.from
	}
	if f.From.IsZero() {
		f.From, f.To = g.From, g.To
	}
	return f, true
}

// queryOf asks for the first page of a filter in a log from a day on.
func queryOf(account string, first time.Time, f usage.Filter, atMost int) usage.Query {
	q := usage.Query{AccountID: account, Filter: f, Since: first, After: usage.Position{At: first.AddDate(0, 0, logDays+1)}, AtMost: atMost}
	if !f.From.IsZero() {
		q.Since, q.After.At = f.From, f.To
	}
	return q
}

// says reports whether a request is one that a filter asks for.
func says(f usage.Filter, e usage.Entry) bool {
	key := e.APIKeyID
	if key == "" {
		key = usage.Token
	}
	exact := fmt.Sprint(e.Status)
	for _, c := range []struct{ wanted, is string }{
		{f.AppID, e.AppID}, {f.APIKeyID, key}, {f.ErrorCode, e.ErrorCode}, {f.Method, e.Method}, {f.Route, e.Route}, {f.ResourceID, e.ResourceID},
	} {
		if c.wanted != "" && c.wanted != c.is {
			return false
		}
	}
	return (f.Status == "" || f.Status == exact || f.Status == exact[:1]+"xx") && (f.From.IsZero() || !e.At.Before(f.From) && e.At.Before(f.To))
}

func TestEveryPairOfFiltersGivesExactlyWhatMatches(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, other := w.Confidential().AccountID, w.Confidential().AccountID
	first := usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1-logDays)
	w.Must(w.Store.MakePartitions(t.Context(), first, usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1)))
	fillLog(w, w.Pool, account, first, 700)
	fillLog(w, w.Pool, other, first, 100)
	whole := requests(w, queryOf(account, first, usage.Filter{}, 1000))
	if len(whole) != logDays*700 {
		t.Fatalf("the log has %d requests", len(whole))
	}
	for name, f := range pairs(logFilters(first)) {
		want := slices.DeleteFunc(slices.Clone(whole), func(e usage.Entry) bool { return !says(f, e) })
		for _, atMost := range []int{max(len(want)/3, 40), 1000} {
			if got := requests(w, queryOf(account, first, f, atMost)); !slices.Equal(got, want) {
				t.Errorf("%s: %d requests in pages of %d, want %d", name, len(got), atMost, len(want))
			}
		}
	}
}
