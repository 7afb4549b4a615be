package activity_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

// various returns an account's requests on three days, which differ in every field that the summaries use. Their
// times have nanoseconds, which Postgres doesn't store.
func various(account string, first time.Time) (all []requestlog.Entry) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 600 {
		e := requestlog.Entry{
			At: first.Add(time.Duration(random.Int64N(int64(60 * time.Hour)))), RequestID: fmt.Sprintf("req_%03d", i), AccountID: account,
			AppID: fmt.Sprint("app_", random.IntN(2)), Method: "GET", Route: []string{"/v1/me", "/v1/jobs/{jobId}"}[random.IntN(2)],
			Status: []int32{200, 304, 404, 429, 500}[random.IntN(5)], Latency: time.Duration(random.Int64N(1<<random.IntN(40))) - 1, Bytes: 1 << 40,
			Metered: random.IntN(2) == 0, MinuteLeft: requestlog.Unknown, DayLeft: int32(i), UserAgent: "ä\t\\.\n,\"",
		}
		if i%3 > 0 {
			e.At = first.Add(time.Duration(random.Int64N(int64(3 * time.Minute))))
			e.APIKeyID, e.ResourceID = fmt.Sprint("key_", random.IntN(2)), "job_1"
		}
		if e.Status == 429 {
			e.ErrorCode, e.RefusedBy = "RATE_LIMIT_EXCEEDED", "minute"
		}
		all = append(all, e)
	}
	// These latencies are at the bounds of the buckets.
	for i, micros := range []int64{0, 1, 2, 3, 4, 5, 6, 8, 11, 12, 1 << 20, 1<<20 - 1, 1_482_910, 1_482_911, 1 << 33} {
		all[i].Latency = time.Duration(micros) * time.Microsecond
	}
	return all
}

// Every summary must be the total of the log's entries.
func TestSummariesMatchLogTotals(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account := w.Confidential().AccountID
	first := usage.DayOf(w.Clock.Now()).Add(22 * time.Hour)
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), usage.DayOf(first), usage.DayOf(first).AddDate(0, 0, 3)))
	entries := various(account, first)
	for batch := range slices.Chunk(entries, 250) { // the first batch inserts rows, and later batches add to them
		apply(w, usage.Batch{Entries: batch})
	}
	const day = "(at AT TIME ZONE 'UTC')::date"
	for table, logged := range map[string]string{
		"refusal_days": "SELECT account_id, " + day + ", refused_by, count(*) FROM request_log WHERE refused_by <> '' GROUP BY 1, 2, 3",
		"usage_minutes": `SELECT account_id, date_trunc('minute', at), app_id, api_key_id, count(*), count(*) FILTER (WHERE metered), count(*) FILTER (WHERE refused_by <> '')
			FROM request_log GROUP BY 1, 2, 3, 4`,
		"route_latencies": "SELECT account_id, " + day + `, method, route, floor(2 * ln(greatest(latency_us, 1)) / ln(2.0::float8))::smallint,
			count(*), count(*) FILTER (WHERE status >= 400), count(*) FILTER (WHERE status >= 500) FROM request_log GROUP BY 1, 2, 3, 4, 5`,
	} {
		got, want := authtest.Names(w, "SELECT r::text FROM "+table+" r ORDER BY 1"), authtest.Names(w, "SELECT r::text FROM ("+logged+") r ORDER BY 1")
		if len(want) < 3 || !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", table, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	// The log contains the reported entries, with times truncated to microseconds.
	slices.SortFunc(entries, func(a, b requestlog.Entry) int {
		if c := b.At.Truncate(time.Microsecond).Compare(a.At.Truncate(time.Microsecond)); c != 0 {
			return c
		}
		return strings.Compare(b.RequestID, a.RequestID)
	})
	for i := range entries {
		e := &entries[i]
		e.At, e.Latency = e.At.Truncate(time.Microsecond).UTC(), e.Latency.Truncate(time.Microsecond)
	}
	logged := requests(w, requestlog.Query{AccountID: account, Since: first, After: requestlog.Position{At: first.AddDate(0, 0, 3)}, AtMost: 90})
	if !slices.Equal(logged, entries) {
		t.Errorf("the log has\n%v, want\n%v", logged, entries)
	}
}

// Two replicas that report the usage of the same keys must not deadlock, whatever the order of the rows in their
// batches.
func TestConcurrentBatchesAllCount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account := w.Confidential().AccountID
	today := usage.DayOf(w.Clock.Now())
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), today, today.AddDate(0, 0, 3)))
	const replicas, batches = 4, 10
	failed := make(chan error, replicas)
	for r := range replicas {
		go func() {
			var err error
			for i := range batches {
				entries := various(account, today)
				rand.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
				if e := w.Stores.Usage.Apply(t.Context(), usage.Batch{ID: fmt.Sprint("bat_", r, "_", i), Entries: entries}, w.Clock.Now()); e != nil {
					err = e
				}
			}
			failed <- err
		}()
	}
	for range replicas {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	want := fmt.Sprint(replicas * batches * len(various(account, today)))
	for _, table := range []string{"usage_minutes", "route_latencies"} {
		if got := authtest.Names(w, "SELECT sum(requests)::text FROM "+table); !slices.Equal(got, []string{want}) {
			t.Errorf("%s counts %v, want %s", table, got, want)
		}
	}
}
