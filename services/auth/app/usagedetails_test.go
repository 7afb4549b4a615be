package app_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestUsageIsSummedByAppKeyOrStatus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.account()
	row := func(app, key string, requests, refused, redirected, serverFailed int64) *authv1.AccountUsage {
		u := used(a, "2026-03-01", app, key, requests)
		u.Usage.Refused, u.Usage.Redirected, u.Usage.ServerFailed, u.Usage.Failed = refused, redirected, serverFailed, refused+serverFailed
		return u
	}
	w.reportCounts(row("app_1", "key_1", 10, 1, 2, 3), row("app_1", "key_2", 20, 0, 0, 1), row("app_2", "", 40, 4, 0, 0))
	w.reportCounts(row("app_2", "", 2, 1, 1, 0))
	for name, c := range map[string]struct {
		req  *authv1.ListUsageRequest
		want []string
	}{
		"key":   {&authv1.ListUsageRequest{GroupBy: authv1.UsageGrouping_USAGE_GROUPING_KEY}, []string{"app_1 key_1 10 4 1 2 3", "app_1 key_2 20 1 0 0 1", "app_2  42 5 5 1 0"}},
		"none":  {&authv1.ListUsageRequest{}, []string{"app_1 key_1 10 4 1 2 3", "app_1 key_2 20 1 0 0 1", "app_2  42 5 5 1 0"}},
		"app":   {&authv1.ListUsageRequest{GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP}, []string{"app_1  30 5 1 2 4", "app_2  42 5 5 1 0"}},
		"all":   {&authv1.ListUsageRequest{GroupBy: authv1.UsageGrouping_USAGE_GROUPING_STATUS}, []string{"  72 10 6 3 4"}},
		"one":   {&authv1.ListUsageRequest{AppId: "app_1", GroupBy: authv1.UsageGrouping_USAGE_GROUPING_STATUS}, []string{"  30 5 1 2 4"}},
		"of":    {&authv1.ListUsageRequest{ApiKeyId: "key_2"}, []string{"app_1 key_2 20 1 0 0 1"}},
		"token": {&authv1.ListUsageRequest{ApiKeyId: "token"}, []string{"app_2  42 5 5 1 0"}},
		"other": {&authv1.ListUsageRequest{AppId: "app_3"}, nil},
	} {
		c.req.AccountId = a
		resp, err := w.ledger.ListUsage(t.Context(), c.req)
		w.must(err)
		var got []string
		for _, u := range resp.GetUsage() {
			got = append(got, fmt.Sprint(u.GetAppId(), " ", u.GetApiKeyId(), " ", u.GetRequests(), " ", u.GetFailed(), " ", u.GetRefused(), " ", u.GetRedirected(), " ", u.GetServerFailed()))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	_, err := w.usage.RecordRequests(t.Context(), &authv1.RecordRequestsRequest{BatchId: id.New("bat"), Counts: []*authv1.AccountUsage{used(a, "2026-03-01", "", "", 1)}})
	wantCode(t, err, "INVALID_ARGUMENT")
}

// minutes returns the minutes that have requests, formatted as age, requests, metered and refused.
func (w *world) minutes(req *authv1.ListUsageByMinuteRequest) (lines []string, all int) {
	w.Helper()
	resp, err := w.ledger.ListUsageByMinute(w.Context(), req)
	w.must(err)
	for _, m := range resp.GetMinutes() {
		if m.GetRequests() > 0 {
			lines = append(lines, fmt.Sprint(w.clock.Now().Truncate(time.Minute).Sub(m.GetMinute().AsTime()), " ", m.GetRequests(), " ", m.GetMetered(), " ", m.GetRefused()))
		}
	}
	return lines, len(resp.GetMinutes())
}

func TestUsageByMinuteCountsEveryRequestOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, replica := w.account(), w.replica()
	now := started.Truncate(time.Minute).Add(30 * time.Second)
	w.clock.Advance(now.Sub(started))
	refused := entry(account, "req_5", now)
	refused.RefusedBy, refused.Metered, refused.AppId, refused.ApiKeyId = "minute", false, "app_2", ""
	batch := &authv1.RecordRequestsRequest{BatchId: id.New("bat"), Entries: []*authv1.RequestEntry{
		entry(account, "req_1", now.Add(-time.Hour)), entry(account, "req_2", now.Add(-59*time.Minute)), entry(account, "req_3", now.Add(-time.Minute)),
		entry(account, "req_4", now), refused, entry(account, "ahead", now.Add(time.Minute)),
	}}
	for _, at := range []*world{w, replica, w} { // the batch is sent repeatedly, once to a different replica
		_, err := at.usage.RecordRequests(t.Context(), proto.CloneOf(batch))
		w.must(err)
	}
	w.log(entry(account, "late", now.Add(-time.Minute)))
	for _, c := range []struct {
		req  *authv1.ListUsageByMinuteRequest
		want []string
		all  int
	}{
		{&authv1.ListUsageByMinuteRequest{}, []string{"59m0s 1 1 0", "1m0s 2 2 0", "0s 2 1 1"}, 60},
		{&authv1.ListUsageByMinuteRequest{Minutes: 120}, []string{"1h0m0s 1 1 0", "59m0s 1 1 0", "1m0s 2 2 0", "0s 2 1 1"}, 120},
		{&authv1.ListUsageByMinuteRequest{AppId: "app_2", Minutes: 1}, []string{"0s 1 0 1"}, 1},
		{&authv1.ListUsageByMinuteRequest{ApiKeyId: "token"}, []string{"0s 1 0 1"}, 60},
		{&authv1.ListUsageByMinuteRequest{ApiKeyId: "key_none"}, nil, 60},
	} {
		c.req.AccountId = account
		if got, all := w.minutes(c.req); !slices.Equal(got, c.want) || all != c.all {
			t.Errorf("%v: %q of %d minutes, want %q of %d", c.req, got, all, c.want, c.all)
		}
	}
	_, err := w.ledger.ListUsageByMinute(t.Context(), &authv1.ListUsageByMinuteRequest{AccountId: "dev_none"})
	wantCode(t, err, "ACCOUNT_NOT_FOUND")
}

func TestErrorsAndLatencyAreShownByRoute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	var entries []*authv1.RequestEntry
	for i := range 100 { // the durations are 1 to 100 ms, spread over two days
		e := entry(account, fmt.Sprint("req_", i), started.Add(-time.Duration(i%2)*24*time.Hour))
		e.Latency, e.Status = durationpb.New(time.Duration(i+1)*time.Millisecond), 200
		if i < 7 {
			e.Status = int32(400 + 100*(i%2))
		}
		entries = append(entries, e)
	}
	me := entry(account, "req_me", started)
	me.Route, me.Status, me.Latency = "/v1/me", 304, durationpb.New(0)
	w.log(append(entries, me)...)
	resp, err := w.ledger.ListRouteStats(t.Context(), &authv1.ListRouteStatsRequest{AccountId: account})
	w.must(err)
	if len(resp.GetRoutes()) != 2 || resp.GetRoutes()[1].GetRoute() != "/v1/me" || resp.GetRoutes()[1].GetRequests() != 1 {
		t.Fatalf("the routes are %v", resp.GetRoutes())
	}
	r := resp.GetRoutes()[0]
	if r.GetRequests() != 100 || r.GetFailed() != 7 || r.GetServerFailed() != 3 || r.GetMethod() != "GET" {
		t.Errorf("counted %v", r)
	}
	for want, got := range map[time.Duration]time.Duration{50 * time.Millisecond: r.GetP50().AsDuration(), 95 * time.Millisecond: r.GetP95().AsDuration()} {
		if off := math.Abs(float64(got)/float64(want) - 1); off > 0.2 {
			t.Errorf("%v, want %v within 20 %%", got, want)
		}
	}
	resp, err = w.ledger.ListRouteStats(t.Context(), &authv1.ListRouteStatsRequest{AccountId: account, FromDay: "2026-03-01", ToDay: "2026-03-01"})
	w.must(err)
	if n := resp.GetRoutes()[0].GetRequests(); n != 50 {
		t.Errorf("%d requests of one day, want 50", n)
	}
}

func TestRefusalsAreShownByDayAndLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	var entries []*authv1.RequestEntry
	for i, by := range []string{"minute", "day", "minute", "", "api_key_burst", "minute"} {
		e := entry(account, fmt.Sprint("req_", i), started.Add(-time.Duration(i/4)*24*time.Hour))
		e.RefusedBy = by
		entries = append(entries, e)
	}
	w.log(entries...)
	resp, err := w.ledger.ListRefusals(t.Context(), &authv1.ListRefusalsRequest{AccountId: account})
	w.must(err)
	var got []string
	for _, r := range resp.GetRefusals() {
		got = append(got, fmt.Sprint(r.GetDay(), " ", r.GetLimit(), " ", r.GetRequests()))
	}
	want := []string{"2026-03-01 day 1", "2026-03-01 minute 2", "2026-02-28 api_key_burst 1", "2026-02-28 minute 1"}
	if !slices.Equal(got, want) {
		t.Errorf("the refusals are\n%s", strings.Join(got, "\n"))
	}
	_, err = w.ledger.ListRefusals(t.Context(), &authv1.ListRefusalsRequest{AccountId: account, FromDay: "2026-01-01"})
	wantCode(t, err, "INVALID_ARGUMENT")
}

// Data derived from the log must not be stored longer than the log.
func TestOldUsageDetailsAreDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	e := entry(account, "req_1", started)
	e.RefusedBy = "minute"
	w.log(e)
	rows := func() string {
		var refusals, minutes, latencies, batches int
		w.must(w.db.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM refusal_days), (SELECT count(*) FROM usage_minutes),
			(SELECT count(*) FROM route_latencies), (SELECT count(*) FROM usage_batches)`).Scan(&refusals, &minutes, &latencies, &batches))
		return fmt.Sprint(refusals, minutes, latencies, batches)
	}
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{0, "1 1 1 1"}, {2 * time.Hour, "1 1 1 1"}, {2 * time.Hour, "1 0 1 1"}, {20 * time.Hour, "1 0 1 1"}, {2 * time.Hour, "1 0 1 0"},
		{29*day - 2*time.Hour, "1 0 1 0"}, {day, "0 0 1 0"}, {63 * day, "0 0 0 0"},
	} {
		w.clock.Advance(c.after)
		w.retain()
		if got := rows(); got != c.want {
			t.Errorf("%v later: %s, want %s", c.after, got, c.want)
		}
	}
}
