package activity_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

// twoAccounts applies the same requests, made on three days, to two accounts and returns these accounts.
func twoAccounts(w *authtest.World, entries ...requestlog.Entry) (account, other string) {
	w.Helper()
	account, other = w.Confidential().AccountID, w.Confidential().AccountID
	today := usage.DayOf(w.Clock.Now())
	w.Must(w.Stores.Usage.MakePartitions(w.Context(), today.AddDate(0, 0, -2), today.AddDate(0, 0, 1)))
	for _, id := range []string{account, other} {
		for i := range entries {
			entries[i].AccountID, entries[i].RequestID = id, fmt.Sprint("req_", i)
		}
		apply(w, usage.Batch{Entries: slices.Clone(entries)})
	}
	return account, other
}

func TestMinutesAreFilteredByAppAndKey(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now().Truncate(time.Minute)
	at := func(minutes int, app, key string) requestlog.Entry {
		return requestlog.Entry{At: now.Add(time.Duration(minutes) * time.Minute), AppID: app, APIKeyID: key, Method: "GET", Route: "/v1/me", Status: 200, Metered: true}
	}
	refused := at(2, "app_2", "")
	refused.Metered, refused.RefusedBy = false, "minute"
	account, _ := twoAccounts(w, at(0, "app_1", "key_1"), at(1, "app_1", "key_1"), at(1, "app_1", "key_2"), at(2, "app_2", "key_3"), refused, at(-1, "app_1", "key_1"))
	none := func(minutes int, requests, metered, refused int64) usage.Minute {
		return usage.Minute{At: now.Add(time.Duration(minutes) * time.Minute), Requests: requests, Metered: metered, Refused: refused}
	}
	for name, c := range map[string]struct {
		filter requestlog.Filter
		want   []usage.Minute
	}{
		"all": {requestlog.Filter{}, []usage.Minute{none(0, 1, 1, 0), none(1, 2, 2, 0), none(2, 2, 1, 1)}},
		"app": {requestlog.Filter{AppID: "app_1"}, []usage.Minute{none(0, 1, 1, 0), none(1, 2, 2, 0)}}, "key": {requestlog.Filter{APIKeyID: "key_2"}, []usage.Minute{none(1, 1, 1, 0)}},
		"token": {requestlog.Filter{APIKeyID: requestlog.Token}, []usage.Minute{none(2, 1, 0, 1)}}, "both": {requestlog.Filter{AppID: "app_2", APIKeyID: "key_1"}, nil},
	} {
		got, err := w.Stores.Usage.Minutes(t.Context(), account, c.filter, now)
		if !slices.EqualFunc(got, c.want, func(a, b usage.Minute) bool { a.At = a.At.UTC(); return a == b }) || err != nil {
			t.Errorf("%s: %v, want %v, %v", name, got, c.want, err)
		}
	}
}

func TestLatenciesAreReadByAccountAndDays(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	today := usage.DayOf(w.Clock.Now())
	day := func(n int) time.Time { return today.AddDate(0, 0, n) }
	on := func(n int, route, refusedBy string) requestlog.Entry {
		return requestlog.Entry{At: day(n).Add(time.Hour), AppID: "app_1", Method: "GET", Route: route, Status: 500, RefusedBy: refusedBy}
	}
	account, _ := twoAccounts(w, on(-2, "/v1/me", "day"), on(-1, "/v1/me", "day"), on(-1, "/v1/me", ""), on(-1, "/v1/old", "minute"), on(0, "/v1/me", "day"), on(0, "/v1/me", "day"), on(1, "/v1/me", "day"))
	latencies, err := w.Stores.Usage.Latencies(t.Context(), account, day(-1), today)
	w.Must(err)
	if want := []usage.Latencies{{Method: "GET", Route: "/v1/me", Requests: 4, Failed: 4, ServerFailed: 4}, {Method: "GET", Route: "/v1/old", Requests: 1, Failed: 1, ServerFailed: 1}}; !slices.Equal(latencies, want) {
		t.Errorf("latencies %+v, want %+v", latencies, want)
	}
	refusals, err := w.Stores.Usage.Refusals(t.Context(), account, day(-1), today)
	w.Must(err)
	for i := range refusals {
		refusals[i].Day = refusals[i].Day.UTC()
	}
	if want := []usage.Refusals{{Day: today, Limit: "day", Requests: 2}, {Day: day(-1), Limit: "day", Requests: 1}, {Day: day(-1), Limit: "minute", Requests: 1}}; !slices.Equal(refusals, want) {
		t.Errorf("refusals %v, want %v", refusals, want)
	}
}

func TestRequestIsFoundByIDInItsAccount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now()
	account, other := twoAccounts(w, requestlog.Entry{At: now, MinuteLeft: requestlog.Unknown, DayLeft: 3}, requestlog.Entry{At: now, Route: "/v1/me"})
	one := time.Microsecond
	for name, c := range map[string]struct {
		account, id string
		from, to    time.Time
		want        bool
	}{
		"at both times": {account, "req_0", now, now, true}, "between": {account, "req_0", now.Add(-one), now.Add(one), true}, "the other's": {other, "req_0", now, now, true},
		"too early": {account, "req_0", now.Add(one), now.Add(2 * one), false}, "too late": {account, "req_0", now.Add(-2 * one), now.Add(-one), false},
		"another id": {account, "req_2", now, now, false}, "another account": {"dev_none", "req_0", now, now, false},
	} {
		e, found, err := w.Stores.Usage.Request(t.Context(), c.account, c.id, c.from, c.to)
		e.At = e.At.UTC()
		want := requestlog.Entry{}
		if c.want {
			want = requestlog.Entry{At: now, RequestID: c.id, AccountID: c.account, MinuteLeft: requestlog.Unknown, DayLeft: 3}
		}
		if found != c.want || err != nil || found && e != want {
			t.Errorf("%s: found %t, %+v, %v", name, found, e, err)
		}
	}
}

// Rows in the tables derived from the log expire depending on the day or minute for which they count requests.
func TestRetentionDeletesTheOldestFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	end := usage.DayOf(w.Clock.Now())
	for i, age := range []int{2, 3, 1, 0} {
		day := end.AddDate(0, 0, -age)
		_, err := w.Pool.Exec(t.Context(), `WITH refusal AS (INSERT INTO refusal_days VALUES ('dev_1', $2::date, 'l' || $1::smallint, 1)),
			minute AS (INSERT INTO usage_minutes VALUES ('dev_1', $2::date, '', '', 1, 1, 0)),
			reads AS (INSERT INTO connection_reads VALUES ('con_' || $1::text, $2::date, 'cv', 1, $2)),
			applications AS (INSERT INTO application_reads VALUES ('apl_' || $1::text, 'app_1', $2::date, 1, $2))
			INSERT INTO route_latencies VALUES ('dev_1', $2, '', '', $1, 1, 0, 0)`, i, day)
		w.Must(err)
	}
	for name, c := range map[string]struct {
		of     string
		delete func(context.Context, time.Time, int32) (int64, error)
	}{
		"refusals":     {"SELECT day::text FROM refusal_days ORDER BY 1", w.Stores.Usage.DeleteRefusals},
		"minutes":      {"SELECT minute::date::text FROM usage_minutes ORDER BY 1", w.Stores.Usage.DeleteMinutes},
		"reads":        {"SELECT day::text FROM connection_reads ORDER BY 1", w.Stores.Usage.DeleteReads},
		"applications": {"SELECT day::text FROM application_reads ORDER BY 1", w.Stores.Usage.DeleteApplicationReads},
		"latencies":    {"SELECT day::text FROM route_latencies ORDER BY 1", w.Stores.Usage.DeleteLatencies},
	} {
		for _, left := range []int{2, 1, 1} {
			before := len(authtest.Names(w, c.of))
			n, err := c.delete(t.Context(), end, 2)
			want := []string{usage.FormatDay(end.AddDate(0, 0, -1)), usage.FormatDay(end)}[2-left:]
			if got := authtest.Names(w, c.of); !slices.Equal(got, want) || n != int64(before-left) || err != nil {
				t.Errorf("%s: %d deleted, %v are left, want %v, %v", name, n, got, want, err)
			}
		}
	}
}
